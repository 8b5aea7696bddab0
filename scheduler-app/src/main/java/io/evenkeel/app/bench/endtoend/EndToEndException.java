package io.evenkeel.app.bench.endtoend;

/** The measurement came to nothing. */
public final class EndToEndException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    EndToEndException(String message) {
        super(message);
    }
}
