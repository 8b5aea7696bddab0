package io.evenkeel.app.companion;

import io.evenkeel.app.http.Routes;
import io.evenkeel.app.http.serve.ServingOptions.Guard;
import io.evenkeel.app.metrics.Instruments;
import io.evenkeel.engine.Scheduler;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Looks on while a live scheduler is at work, on the engine's thread; may show metrics and serve paths of its own. */
public interface Companion extends LoopObserver, AutoCloseable {

    /** The scheduler is put together, and nothing has been taken in yet. */
    default void begin(Surroundings surroundings) {}

    @Override
    default void turned(Scheduler scheduler, int events, long nanos) {}

    /** Metrics of its own, shown beside the scheduler's. */
    default Instruments metrics() {
        return Stream::empty;
    }

    /** Whether its metrics have the family {@code evenkeel_spread_…}, which the engine's leave out then. */
    default boolean showsSpread() {
        return false;
    }

    /** Whether it moves pods, though nothing else may be written. */
    default boolean moves() {
        return false;
    }

    default void addTo(Routes routes) {}

    /** Clients are served from now on; ports of its own are guarded like this. */
    default void serve(Optional<Guard> guard) {}

    /** The scheduler has ended. */
    @Override
    default void close() {}

    /**
     * One that only answers about the cluster. Where several engines share that, it is beside none of them, but on every replica,
     * and asks one that knows all.
     */
    interface Answering extends Companion {
        default void begin(AskedCluster cluster) {}

        @Override
        default void begin(Surroundings surroundings) {
            begin((AskedCluster) surroundings);
        }

        /** Those of them that do. */
        static List<Answering> of(List<Companion> companions) {
            return companions.stream()
                    .filter(Answering.class::isInstance)
                    .map(Answering.class::cast)
                    .toList();
        }
    }
}
