package io.evenkeel.app.companion;

import io.evenkeel.app.metrics.instrument.Instruments;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;

/** Looks on while a live scheduler is at work, on the engine's thread and beside its metrics. */
public interface Companion {

    /** The scheduler is put together, and nothing has been taken in yet. */
    default void begin(Surroundings surroundings) {}

    /** An event is about to be taken in. */
    default void taking(Scheduler scheduler, SchedulerEvent event) {}

    /** A turn has ended. */
    void turned(Scheduler scheduler);

    /** Metrics of its own, shown beside the scheduler's. */
    Instruments metrics();

    /** Whether its metrics have the family {@code evenkeel_spread_…}, which the engine's leave out then. */
    default boolean showsSpread() {
        return false;
    }

    /** The scheduler has ended. */
    default void ended() {}
}
