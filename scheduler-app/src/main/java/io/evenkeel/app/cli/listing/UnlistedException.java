package io.evenkeel.app.cli.listing;

import io.evenkeel.config.problem.UserProblem;

/** What a command cannot do without cannot be listed. The message is one line for the user. */
public final class UnlistedException extends UserProblem {
    private static final long serialVersionUID = 1L;

    UnlistedException(String message) {
        super(message);
    }
}
