package io.evenkeel.lab.bench.endtoend;

import io.evenkeel.problem.UserProblem;

/** The measurement came to nothing. */
final class EndToEndException extends UserProblem {
    private static final long serialVersionUID = 1L;

    EndToEndException(String message) {
        super(message);
    }
}
