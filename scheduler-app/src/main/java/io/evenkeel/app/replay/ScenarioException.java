package io.evenkeel.app.replay;

/** A scenario cannot be replayed; the message is one line for the user. */
public sealed class ScenarioException extends RuntimeException permits NoScenarioException {
    private static final long serialVersionUID = 1L;

    public ScenarioException(String message) {
        super(message);
    }
}
