package io.evenkeel.app.record;

import io.evenkeel.problem.UserProblem;

/** A record cannot be read; the message is one line for the user that names the file, the place in it and the reason. */
public final class RecordException extends UserProblem {
    private static final long serialVersionUID = 1L;

    public RecordException(String message) {
        super(message);
    }
}
