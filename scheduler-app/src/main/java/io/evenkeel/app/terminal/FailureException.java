package io.evenkeel.app.terminal;

import io.evenkeel.problem.UserProblem;

/** A failure of a command that was typed correctly. The message is one line for the user. */
public class FailureException extends UserProblem {
    private static final long serialVersionUID = 1L;

    public FailureException(String message) {
        super(message);
    }

    public FailureException(String message, Throwable cause) {
        super(message, cause);
    }
}
