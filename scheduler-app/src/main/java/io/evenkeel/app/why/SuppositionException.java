package io.evenkeel.app.why;

import io.evenkeel.problem.UserProblem;

/** What is supposed cannot be: it names what is not there. The message is one line for the user. */
public final class SuppositionException extends UserProblem {
    private static final long serialVersionUID = 1L;

    SuppositionException(String message) {
        super(message);
    }
}
