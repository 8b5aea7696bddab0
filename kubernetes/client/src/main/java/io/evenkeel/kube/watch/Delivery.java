package io.evenkeel.kube.watch;

import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The state of one kind's hand-over: which objects, and up to which version.
 *
 * <p>Without a version the kind is being relisted: a bracket of {@link Relist.Began} and {@link Relist.Ended} that says of
 * all that was there before and is not named in between that it is gone. A bracket that breaks off is begun again, so
 * nothing is taken for gone before the server has told everything once. With a version, changes follow one by one. For
 * example, where b was known, c cannot be read, and the first try breaks off:
 *
 * <pre>
 * the server says              handed over             version after it
 * a@7                          Began, Put a            none: versions of initial events are in no order
 * (cut)                                                none
 * c@5, which cannot be read    Began, Present c        none
 * a@7                          Put a                   none
 * end of initial events @9     Ended (b is gone)       9
 * a@12                         Put a                   12
 * bookmark @20                                         20
 * (cut)                                                20: the next request asks for what came since
 * </pre>
 */
final class Delivery {
    private final String kind;
    private final Consumer<? super SchedulerEvent> sink;
    private final WatchGauge gauge;
    private final WatchLog log;
    private Optional<String> version = Optional.empty();

    Delivery(String kind, Consumer<? super SchedulerEvent> sink, WatchGauge gauge, WatchLog log) {
        this.kind = kind;
        this.sink = sink;
        this.gauge = gauge;
        this.log = log;
    }

    /** Up to where all changes have been handed over; empty while everything is to be read. */
    Optional<String> version() {
        return version;
    }

    /** Whether what comes is part of everything, not a change. */
    boolean isRelisting() {
        return version.isEmpty();
    }

    /** Gives up the version: what the server had at it, it can no longer compare with. */
    void forget() {
        version = Optional.empty();
    }

    void began() {
        if (gauge.isAbsent()) {
            gauge.relist();
            gauge.absent(false);
        }
        sink.accept(new Relist.Began(kind));
    }

    void ended(String newVersion) {
        version = Optional.of(newVersion);
        sink.accept(new Relist.Ended(kind));
        gauge.synced();
    }

    /** The server has no such resource: there are none, and no version from which some could come. */
    void absent(String why) {
        if (!gauge.isAbsent()) {
            log.absent(why);
            sink.accept(new Relist.Began(kind));
            sink.accept(new Relist.Ended(kind));
            gauge.absent(true);
            gauge.synced();
        }
    }

    /** As all that takes an event, answers whether it moved the version on. */
    boolean put(WatchEvent.Put put) {
        sink.accept(new ClusterEvent.Put(put.object()));
        return reached(put.object().meta().resourceVersion());
    }

    boolean removed(WatchEvent.Removed removed) {
        sink.accept(new ClusterEvent.Removed(removed.object()));
        return reached(removed.object().meta().resourceVersion());
    }

    /** An object that is there, though not to be read: skipped, but a relist must not take it for gone. */
    boolean illegible(WatchEvent.Illegible object) {
        skipped(object.reason());
        if (isRelisting()) {
            sink.accept(new Relist.Present(kind, object.identity()));
        }
        object.pod().ifPresent(pod -> sink.accept(new SchedulerEvent.UnreadablePod(pod, object.reason())));
        return object.identity().isPresent() && reached(object.identity().get().resourceVersion());
    }

    /** An unreadable event that does not even show what it is about. */
    boolean unreadable(WatchEvent.Unreadable event) {
        skipped(event.reason());
        return false;
    }

    /** Initial events come in no order of versions; from their end on, each version is newer than the one before. */
    boolean reached(String newVersion) {
        if (isRelisting() || newVersion.isEmpty()) {
            return false;
        }
        version = Optional.of(newVersion);
        return true;
    }

    private void skipped(String reason) {
        log.unreadable(reason, gauge.unreadable());
    }
}
