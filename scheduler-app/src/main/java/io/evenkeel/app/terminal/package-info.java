/**
 * The command line explained to its user: help with options in groups, errors of usage and failures in one line, lists and
 * wrapped text, completion by the shell, the version. Knows no command.
 */
@NullMarked
package io.evenkeel.app.terminal;

import org.jspecify.annotations.NullMarked;
