package io.evenkeel.kube.api;

import io.evenkeel.engine.ObjectEvent;

/** A taker of events for users. Neither blocks nor fails: what cannot be kept is dropped. */
@FunctionalInterface
public interface EventSink {
    void recordEvent(Regarding regarding, ObjectEvent event);
}
