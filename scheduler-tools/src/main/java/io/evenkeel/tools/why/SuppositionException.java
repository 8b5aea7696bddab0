package io.evenkeel.tools.why;

import io.evenkeel.problem.UserProblem;

/** The supposition cannot be: it names an object that does not exist. The message is one line for the user. */
public final class SuppositionException extends UserProblem {
    private static final long serialVersionUID = 1L;

    SuppositionException(String message) {
        super(message);
    }
}
