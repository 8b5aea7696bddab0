package io.evenkeel.app.replay;

/** A scenario cannot be replayed; the message is one line for the user. */
public final class ScenarioException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ScenarioException(String message) {
        super(message);
    }
}
