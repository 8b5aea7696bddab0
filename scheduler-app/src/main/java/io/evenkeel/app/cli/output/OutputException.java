package io.evenkeel.app.cli.output;

import java.io.IOException;

/** Standard output cannot be written. The message is one line for the user. */
public final class OutputException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OutputException(IOException cause) {
        super("standard output: " + cause.getMessage(), cause);
    }

    /** Whether whoever read has had enough, as {@code head} has after some lines: there is nobody to complain to. */
    public boolean isClosedPipe() {
        return String.valueOf(getMessage()).endsWith("Broken pipe");
    }
}
