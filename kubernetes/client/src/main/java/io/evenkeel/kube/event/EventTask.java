package io.evenkeel.kube.event;

import io.evenkeel.engine.ObjectEvent;
import java.time.Instant;

/** Something to be written about an object. Those about one object are written in their order. */
public sealed interface EventTask {

    Regarding regarding();

    record Occurrence(Regarding regarding, ObjectEvent event, Instant time) implements EventTask {}

    /** It has not happened again for a while: the count that the server has may be behind. */
    record SeriesEnd(Regarding regarding, Series series) implements EventTask {}
}
