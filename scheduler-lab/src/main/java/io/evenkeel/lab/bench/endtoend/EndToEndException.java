package io.evenkeel.lab.bench.endtoend;

import io.evenkeel.app.terminal.FailureException;

/** The measurement came to nothing. */
public final class EndToEndException extends FailureException {
    private static final long serialVersionUID = 1L;

    EndToEndException(String message) {
        super(message);
    }
}
