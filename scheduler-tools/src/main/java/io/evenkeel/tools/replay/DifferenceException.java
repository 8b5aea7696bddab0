package io.evenkeel.tools.replay;

import io.evenkeel.problem.UserProblem;

/** A difference that an audit found, after which nothing can be trusted. The message is one line. */
final class DifferenceException extends UserProblem {
    private static final long serialVersionUID = 1L;

    DifferenceException(String message) {
        super(message);
    }
}
