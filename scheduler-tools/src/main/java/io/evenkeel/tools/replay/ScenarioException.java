package io.evenkeel.tools.replay;

import io.evenkeel.problem.UserProblem;

/** A scenario cannot be replayed; the message is one line for the user. */
sealed class ScenarioException extends UserProblem {
    private static final long serialVersionUID = 1L;

    ScenarioException(String message) {
        super(message);
    }

    /** A line is not even an object of JSON: there may be something else in the file than scenarios. */
    static final class NoScenario extends ScenarioException {
        private static final long serialVersionUID = 1L;

        NoScenario(String message) {
            super(message);
        }
    }
}
