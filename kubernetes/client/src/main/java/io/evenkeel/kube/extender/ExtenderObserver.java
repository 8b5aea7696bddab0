package io.evenkeel.kube.extender;

import java.time.Duration;

/** An observer of the calls to extenders, for metrics. Called by many threads. */
@FunctionalInterface
public interface ExtenderObserver {
    ExtenderObserver NONE = (_, _, _, _) -> {};

    /**
     * An extender was called.
     *
     * @param verb as it is configured
     * @param success whether it answered, and so that it could be read
     */
    void called(String extender, String verb, boolean success, Duration took);
}
