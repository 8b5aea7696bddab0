/**
 * The command {@code evenkeel}: its main class, its subcommands, and how it explains itself: help with options in groups,
 * errors of usage and failures in one line, completion by the shell. Exit codes are decided here.
 */
@NullMarked
package io.evenkeel.app.cli;

import org.jspecify.annotations.NullMarked;
