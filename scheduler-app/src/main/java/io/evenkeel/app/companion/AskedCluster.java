package io.evenkeel.app.companion;

import io.evenkeel.engine.Scheduler;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.shard.ShardMap;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** The cluster that a companion asks about, as the scheduler beside it knows it. */
public interface AskedCluster {

    /** Whether this replica leads. What it does not lead is another's to write about. */
    boolean isLeading();

    /** Whether the caches are synced: all objects have been read once. */
    boolean isSynced();

    /** The same for who is to be told of them now: what is watched only while somebody asks is read first, for some seconds. */
    default boolean isKnown() {
        return isSynced();
    }

    /** How several engines share the cluster; empty where one has all of it. */
    default Optional<Parted> parted() {
        return Optional.empty();
    }

    /**
     * A cluster that several engines share, as a replica knows it.
     *
     * @param quiet how long the API server has told the replica nothing of pods, not even that there was nothing
     * @param overseer who holds its Lease
     * @param holders of the shards, by their number
     */
    record Parted(String replica, Duration quiet, ShardMap map, Holder overseer, List<Holder> holders) {
        /** Nobody holds the Lease. */
        public static final Holder NOBODY = new Holder("", true);

        public Parted {
            holders = List.copyOf(holders);
        }

        /**
         * Who holds a Lease.
         *
         * @param replica empty for nobody
         * @param hasRunOut whether the Lease has: then nobody does any more
         */
        public record Holder(String replica, boolean hasRunOut) {}
    }

    List<Kind<?>> kinds();

    /** Asks the scheduler something, between two pods. Cancelled unless the engine is at work until the answer. */
    <T> CompletableFuture<T> ask(Function<Scheduler, T> question);

    /** Asks, and waits for the answer; without one in time it is an IllegalStateException. */
    <T> T answer(Function<Scheduler, T> question);

    ApiTransport transport();

    Machine machine();
}
