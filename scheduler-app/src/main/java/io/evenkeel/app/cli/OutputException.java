package io.evenkeel.app.cli;

import io.evenkeel.problem.UserProblem;
import java.io.IOException;

/** Standard output cannot be written. The message is one line for the user. */
final class OutputException extends UserProblem {
    private static final long serialVersionUID = 1L;

    OutputException(IOException cause) {
        super("standard output: " + cause.getMessage(), cause);
    }

    /** Whether the reader closed its end, as {@code head} does after some lines: no failure of the command. */
    public boolean isClosedPipe() {
        return String.valueOf(getMessage()).endsWith("Broken pipe");
    }
}
