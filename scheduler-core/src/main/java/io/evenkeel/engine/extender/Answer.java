package io.evenkeel.engine.extender;

import io.evenkeel.engine.decision.ExtenderAdvice;

/** What comes back from the extenders. */
public sealed interface Answer {

    record Advised(ExtenderAdvice advice) implements Answer {}

    /**
     * One failed that may not be ignored.
     *
     * @param message for the pod's user
     */
    record Failed(String message) implements Answer {}
}
