package io.evenkeel.lab.bench;

import io.evenkeel.app.terminal.FailureException;

/** A pod was put where it must not be: the figures of such a run are worth nothing. */
public final class ForbiddenPlacementException extends FailureException {
    private static final long serialVersionUID = 1L;

    ForbiddenPlacementException(String message) {
        super(message);
    }
}
