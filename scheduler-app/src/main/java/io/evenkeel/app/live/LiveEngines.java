package io.evenkeel.app.live;

import io.evenkeel.app.live.LiveScheduler.Ending;
import io.evenkeel.kube.api.Supervisor;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The schedulers at work in a process: one that has the whole cluster, or one for each shard that this replica holds. */
public interface LiveEngines extends AutoCloseable {

    /** Those at work now, by their shards; without shards there is one, of the empty name. */
    Map<String, LiveScheduler> engines();

    /** Whether the election still notices what becomes of what is held. */
    boolean isElectionHealthy();

    /** Whether this replica takes part, and knows what it has to know for that. */
    boolean takesPart();

    boolean isStopping();

    void begin();

    /** Ends this process where a thread dies that it cannot do without. */
    Supervisor supervisor();

    /** Completes when all has ended, for whatever reason. */
    CompletableFuture<Ending> ended();

    /** Takes no more pods, waits for the bindings that are underway, and releases what is held. */
    void stop(Duration grace);

    /** Ends at once, as if the process had died. */
    @Override
    void close();
}
