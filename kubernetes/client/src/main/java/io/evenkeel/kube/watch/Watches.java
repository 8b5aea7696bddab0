package io.evenkeel.kube.watch;

import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.watch.Watch.WatchLog;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The watches of some kinds, each on a thread of its own. */
public final class Watches implements AutoCloseable {
    /** The logger of how watches lose and find their server. */
    public static final String CONNECTION_LOG = WatchLog.CONNECTION.getName();

    private final List<Watch> watches;
    private final Machine machine;

    private Watches(List<Watch> watches, Machine machine) {
        this.watches = watches;
        this.machine = machine;
    }

    /**
     * Starts to watch the kinds, in this order.
     *
     * @param sink is called by all watches' threads; to hold it up holds up the watch
     */
    public static Watches start(
            Collection<? extends Kind<?>> kinds,
            ApiTransport transport,
            Consumer<? super SchedulerEvent> sink,
            Machine machine) {
        return start(kinds, transport, sink, machine, false);
    }

    /** The same, where what another has just written must not be missed: nothing is read that a server may have cached. */
    public static Watches ofTheNewest(
            Collection<? extends Kind<?>> kinds,
            ApiTransport transport,
            Consumer<? super SchedulerEvent> sink,
            Machine machine) {
        return start(kinds, transport, sink, machine, true);
    }

    private static Watches start(
            Collection<? extends Kind<?>> kinds,
            ApiTransport transport,
            Consumer<? super SchedulerEvent> sink,
            Machine machine,
            boolean newest) {
        ObjectReader reader = new ObjectReader(Kinds.of(kinds));
        List<Watch> watches = kinds.stream()
                .map(kind -> new Watch(kind, transport, reader, sink, machine))
                .toList();
        if (newest) {
            watches.forEach(Watch::relist);
        }
        watches.forEach(Watch::start);
        return new Watches(watches, machine);
    }

    /** Has all objects of a kind read anew, and the newest of each. */
    public void relist(Kind<?> kind) {
        watches.stream().filter(watch -> watch.isOf(kind)).forEach(Watch::relist);
    }

    /** The server answers again: those that wait to ask it do so at once. */
    public void hurry() {
        watches.forEach(Watch::hurry);
    }

    public List<WatchStatus> statuses() {
        return watches.stream().map(Watch::status).toList();
    }

    /** Stops all watches; after this nothing more is handed over. */
    @Override
    public void close() {
        watches.forEach(Watch::stop);
        watches.forEach(watch -> join(machine, watch.thread()));
    }

    private static void join(Machine machine, Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                machine.join(thread);
            } catch (InterruptedException waitOn) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * The state of a watch.
     *
     * @param synced whether all there is has been read once
     * @param connected whether a stream is open
     * @param absent whether the server has no such resource, as it may have none of a kind that is optional
     * @param lastEvent when the last event or bookmark came
     * @param events that came, bookmarks included
     * @param relists how often everything was read, the first time included
     * @param errors how often a request was refused or a stream broke off
     * @param unreadable events and objects that were skipped because they made no sense
     * @param problem why there is no stream; empty where there is one
     */
    public record WatchStatus(
            String kind,
            boolean synced,
            boolean connected,
            boolean absent,
            Optional<Instant> lastEvent,
            long events,
            long relists,
            long errors,
            long unreadable,
            String problem) {

        /** How long the server has said nothing, not even a bookmark; empty before it said anything. */
        public Optional<Duration> quietFor(Instant now) {
            return lastEvent.map(last -> Duration.between(last, now));
        }
    }
}
