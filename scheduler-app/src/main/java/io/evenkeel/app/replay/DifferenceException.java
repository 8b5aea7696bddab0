package io.evenkeel.app.replay;

/** What is kept is not what a recount gives: nothing after it could be trusted. The message is one line. */
public final class DifferenceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DifferenceException(String message) {
        super(message);
    }
}
