package io.evenkeel.app.dump;

import io.evenkeel.problem.UserProblem;

/** A cluster or a dump of it cannot be read, or a dump not be written; the message is one line for the user. */
public final class DumpException extends UserProblem {
    private static final long serialVersionUID = 1L;

    public DumpException(String message) {
        super(message);
    }
}
