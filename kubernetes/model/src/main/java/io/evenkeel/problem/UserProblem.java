package io.evenkeel.problem;

import org.jspecify.annotations.Nullable;

/** A failure that its reader can mend. The message is for them, a line for each thing to mend, and needs no stack trace. */
public class UserProblem extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UserProblem(String message) {
        this(message, null);
    }

    public UserProblem(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
