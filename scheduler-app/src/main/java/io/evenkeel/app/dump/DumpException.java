package io.evenkeel.app.dump;

/** A dump cannot be read or written; the message is one line for the user. */
public final class DumpException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public DumpException(String message) {
        super(message);
    }
}
