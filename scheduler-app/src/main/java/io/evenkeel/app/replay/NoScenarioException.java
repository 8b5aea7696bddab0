package io.evenkeel.app.replay;

/** A line is not even an object of JSON: there may be something else in the file than scenarios. */
final class NoScenarioException extends ScenarioException {
    private static final long serialVersionUID = 1L;

    NoScenarioException(String message) {
        super(message);
    }
}
