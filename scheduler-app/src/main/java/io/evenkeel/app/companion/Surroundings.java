package io.evenkeel.app.companion;

import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent.OfPlace;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.EventSink;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.patch.PatchSink;
import io.evenkeel.kube.patch.PatchSink.Pace;
import io.evenkeel.kube.patch.PatchSink.PatchObserver;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.shard.ShardMap;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** The surroundings of a companion, beside the scheduler that it looks at. */
public interface Surroundings {

    /** Whether this replica leads. What it does not lead is another's to write about. */
    boolean isLeading();

    /** Whether something may be written now: leading is not enough where the lease is about to run out. */
    boolean mayWrite();

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

    /** Has a place held, or released, on the engine's thread. */
    void post(OfPlace place);

    ApiTransport transport();

    Machine machine();

    /** Makes a writer of its own: other companions' writes do not slow down its pace. */
    default PatchSink patches(String name, Pace pace) {
        return patches(name, pace, PatchObserver.NONE);
    }

    /** Makes a writer that also tells how each patch ended; by that thread, or at once where nothing is written. */
    PatchSink patches(String name, Pace pace, PatchObserver observer);

    EventSink events();
}
