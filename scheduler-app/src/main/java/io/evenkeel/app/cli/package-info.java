/** The command {@code evenkeel}: its main class and its subcommands. Exit codes are decided here. */
@NullMarked
package io.evenkeel.app.cli;

import org.jspecify.annotations.NullMarked;
