/**
 * The command line explained to its user: help with options in groups, errors of usage and failures in one line, completion by
 * the shell, the version. Knows no command.
 */
@NullMarked
package io.evenkeel.app.cli.usage;

import org.jspecify.annotations.NullMarked;
