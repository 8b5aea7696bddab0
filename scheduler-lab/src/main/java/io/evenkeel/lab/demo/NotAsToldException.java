package io.evenkeel.lab.demo;

import io.evenkeel.problem.UserProblem;

/** A story waited for something, and something else came. */
final class NotAsToldException extends UserProblem {
    private static final long serialVersionUID = 1L;

    public NotAsToldException(String message) {
        super(message);
    }
}
