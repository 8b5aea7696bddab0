package io.evenkeel.app.cli;

import io.evenkeel.problem.UserProblem;
import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;

/** The terminal that standard output goes to, or a file or pipe; escapes for colours only where supported and wanted. */
record Terminal(int columns, boolean colours) {
    /** The longest line that is easy to read, however wide the window. */
    private static final int MOST_COLUMNS = 80;

    /** A table of two columns needs that much; in a window that is narrower yet, its lines are broken by the terminal. */
    private static final int LEAST_COLUMNS = 55;

    static Terminal ofProcess() {
        boolean isTerminal = Optional.ofNullable(System.console())
                .filter(Console::isTerminal)
                .isPresent();
        return of(System.getenv(), isTerminal, Terminal::ask);
    }

    /** @param asked the size of the terminal, as {@code stty size} prints it */
    static Terminal of(Map<String, String> environment, boolean isTerminal, Supplier<String> asked) {
        OptionalInt columns = number(environment.getOrDefault("COLUMNS", ""));
        if (columns.isEmpty() && isTerminal) {
            String size = asked.get().strip();
            columns = number(size.substring(size.indexOf(' ') + 1));
        }
        boolean colours = isTerminal
                && !environment.getOrDefault("TERM", "").equals("dumb")
                && environment.getOrDefault("NO_COLOR", "").isEmpty();
        return new Terminal(Math.clamp(columns.orElse(MOST_COLUMNS), LEAST_COLUMNS, MOST_COLUMNS), colours);
    }

    /** Sets width and colours of a command and its subcommands. */
    CommandLine of(CommandLine command) {
        return command.setColorScheme(Help.defaultColorScheme(colours ? Ansi.ON : Ansi.OFF))
                .setUsageHelpWidth(columns);
    }

    private static OptionalInt number(String text) {
        try {
            int number = Integer.parseInt(text);
            return number > 0 ? OptionalInt.of(number) : OptionalInt.empty();
        } catch (NumberFormatException unknown) {
            return OptionalInt.empty();
        }
    }

    private static String ask() {
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(Redirect.INHERIT)
                    .redirectError(Redirect.DISCARD)
                    .start();
            return new String(stty.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unknown) {
            return "";
        }
    }

    /**
     * The stream of results. Java's own writers swallow errors, so a result could be lost in silence; here an error is an
     * {@link OutputException}, which ends the command.
     */
    static final class StandardOutput extends OutputStream {
        private final OutputStream to;

        private StandardOutput(OutputStream to) {
            this.to = to;
        }

        /** A writer to the process's standard output. */
        static PrintWriter writer() {
            return writer(new FileOutputStream(FileDescriptor.out));
        }

        static PrintWriter writer(OutputStream to) {
            return new PrintWriter(new StandardOutput(to), true, StandardCharsets.UTF_8);
        }

        @Override
        public void write(int single) {
            write(new byte[] {(byte) single}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            try {
                to.write(bytes, offset, length);
            } catch (IOException e) {
                throw new OutputException(e);
            }
        }

        @Override
        public void flush() {
            try {
                to.flush();
            } catch (IOException e) {
                throw new OutputException(e);
            }
        }

        /** Standard output cannot be written. The message is one line for the user. */
        static final class OutputException extends UserProblem {
            private static final long serialVersionUID = 1L;

            OutputException(IOException cause) {
                super("standard output: " + cause.getMessage(), cause);
            }

            /** Whether the reader closed its end, as {@code head} does after some lines: no failure of the command. */
            public boolean isClosedPipe() {
                return String.valueOf(getMessage()).endsWith("Broken pipe");
            }
        }
    }
}
