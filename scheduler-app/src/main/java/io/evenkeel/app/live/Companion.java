package io.evenkeel.app.live;

import io.evenkeel.app.metrics.instrument.Instruments;

/** Looks on while a live scheduler is at work, beside its metrics. */
public interface Companion {

    /** What is to be told of the loop; it tells these others first. */
    EngineLoop.LoopObserver before(EngineLoop.LoopObserver others);

    /** What it shows, beside the scheduler's own metrics. */
    Instruments metrics();

    /** The scheduler has ended. */
    void ended();
}
