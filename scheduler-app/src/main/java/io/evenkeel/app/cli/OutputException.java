package io.evenkeel.app.cli;

import java.io.IOException;

/** Standard output cannot be written. The message is one line for the user. */
final class OutputException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OutputException(IOException cause) {
        super("standard output: " + cause.getMessage(), cause);
    }

    /** Whether whoever read has had enough, as {@code head} has after some lines: there is nobody to complain to. */
    boolean isClosedPipe() {
        return String.valueOf(getMessage()).endsWith("Broken pipe");
    }
}
