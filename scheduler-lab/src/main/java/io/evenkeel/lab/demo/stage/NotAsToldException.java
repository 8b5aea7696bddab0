package io.evenkeel.lab.demo.stage;

/** A story waited for something, and something else came. */
public final class NotAsToldException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public NotAsToldException(String message) {
        super(message);
    }
}
