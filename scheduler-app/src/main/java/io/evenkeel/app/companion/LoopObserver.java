package io.evenkeel.app.companion;

import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import java.util.List;

/** Is told of each turn of the engine's loop, on the engine's thread. */
public interface LoopObserver {
    LoopObserver NONE = all(List.of());

    /** An event is about to be taken in. */
    default void taking(Scheduler scheduler, SchedulerEvent event) {}

    /** The engine is about to do what is due. */
    default void ticking() {}

    /** The next pod is about to be decided. */
    default void placing() {}

    /** No turn follows. */
    default void ended() {}

    /** Nanoseconds after which it is to be told of a turn, though nothing comes until then. */
    default long nanosUntilNext(Scheduler scheduler) {
        return Long.MAX_VALUE;
    }

    /** A turn has ended, in which so many events were taken in. */
    void turned(Scheduler scheduler, int events, long nanos);

    /** One that tells all of these of everything, in their order. */
    static LoopObserver all(List<? extends LoopObserver> observers) {
        return new All(List.copyOf(observers));
    }

    /** Several, one after the other. */
    record All(List<LoopObserver> observers) implements LoopObserver {
        @Override
        public void taking(Scheduler scheduler, SchedulerEvent event) {
            for (LoopObserver each : observers) {
                each.taking(scheduler, event);
            }
        }

        @Override
        public void ticking() {
            observers.forEach(LoopObserver::ticking);
        }

        @Override
        public void placing() {
            observers.forEach(LoopObserver::placing);
        }

        @Override
        public void turned(Scheduler scheduler, int events, long nanos) {
            for (LoopObserver each : observers) {
                each.turned(scheduler, events, nanos);
            }
        }

        @Override
        public void ended() {
            observers.forEach(LoopObserver::ended);
        }

        @Override
        public long nanosUntilNext(Scheduler scheduler) {
            long least = Long.MAX_VALUE;
            for (LoopObserver each : observers) {
                least = Math.min(least, each.nanosUntilNext(scheduler));
            }
            return least;
        }
    }
}
