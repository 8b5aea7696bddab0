package io.evenkeel.kube.election;

import io.evenkeel.config.SchedulerConfiguration.LeaderElection;
import io.evenkeel.config.file.GoDuration;
import io.evenkeel.engine.ObjectEvent;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.Clocks;
import io.evenkeel.kube.api.EventSink;
import io.evenkeel.kube.api.EventSink.Regarding;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.api.Machine.Sleeper;
import io.evenkeel.kube.api.Machine.TimeLimit;
import io.evenkeel.kube.api.NoAnswer;
import io.evenkeel.kube.election.ContestedLease.Lease;
import io.evenkeel.kube.election.ContestedLease.LeaseClient;
import io.evenkeel.kube.election.ContestedLease.LeaseClient.OvertakenException;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Takes the Lease, renews it and gives it up, as client-go's elector does and beside replicas that use it.
 *
 * <p>Who does not get a renewal through within the renew deadline has lost for good, and the process has to end.
 */
public final class LeaderElector {
    private static final Logger log = LoggerFactory.getLogger(LeaderElector.class);
    /** As client-go: waiting grows by up to this factor so that replicas do not ask in step. */
    private static final double JITTER = 1.2;

    /** The map of one who schedules alone. */
    private static final String NO_SHARDS = "";

    private static final Duration WATCHDOG_TOLERANCE = Duration.ofSeconds(20);

    private final LeaderElection settings;
    private final String identity;
    private final ContestedLease lease;
    private final MapLease map;
    private final LeaderCallbacks callbacks;
    private final EventSink events;
    private final String reportingController;
    private final Clocks clocks;
    private final Sleeper sleeper;
    private final LeaseFence fence;
    private volatile boolean stopping;
    private volatile boolean abandoning;
    private boolean inTrouble;
    private String knownLeader = "";

    /**
     * An elector that has yet to run.
     *
     * @param identity of this replica, unique to its process
     * @param reportingController who the event that there is a new leader is from
     */
    public LeaderElector(
            LeaderElection settings,
            String identity,
            ApiTransport transport,
            LeaderCallbacks callbacks,
            EventSink events,
            String reportingController,
            Machine machine) {
        this(
                settings,
                identity,
                transport,
                callbacks,
                events,
                reportingController,
                machine.clocks(),
                machine.sleeper(),
                machine.timeLimit());
    }

    LeaderElector(
            LeaderElection settings,
            String identity,
            ApiTransport transport,
            LeaderCallbacks callbacks,
            EventSink events,
            String reportingController,
            Clocks clocks,
            Sleeper sleeper,
            TimeLimit limit) {
        this.settings = settings;
        this.identity = identity;
        this.callbacks = callbacks;
        this.events = events;
        this.reportingController = reportingController;
        this.clocks = clocks;
        this.sleeper = sleeper;
        fence = new LeaseFence(clocks.nanos(), settings.renewDeadline());
        Function<String, ContestedLease> leases = name -> new ContestedLease(
                new LeaseClient(transport, limit, this::patience, settings.resourceNamespace(), name, ""),
                identity,
                settings.leaseDuration(),
                clocks.nanos(),
                clocks.time());
        lease = leases.apply(settings.resourceName());
        map = new MapLease(
                lease,
                NO_SHARDS,
                0,
                shard -> leases.apply(Seats.leaseOf(settings.resourceName(), shard)),
                clocks.nanos());
    }

    public String identity() {
        return identity;
    }

    /** The identity of the lease's holder as last read; empty if there is none. */
    public String leader() {
        return lease.holder();
    }

    public boolean isLeading() {
        return fence.isLeading();
    }

    /** Whether a binding may be sent now. */
    public boolean mayBind() {
        return fence.mayBind();
    }

    /** The health check "leader-election watchdog": whether this thread still notices what becomes of its lease. */
    public boolean healthy() {
        return !fence.isLeading()
                || fence.age()
                        <= settings.leaseDuration().plus(WATCHDOG_TOLERANCE).toNanos();
    }

    /**
     * Waits for the lease and keeps it; returns when it is lost or when asked to stop. To be run once, on a thread of its
     * own.
     */
    public void run() {
        boolean interrupted = false;
        try {
            if (acquire()) {
                callbacks.onStartedLeading();
                keep();
            }
        } catch (InterruptedException asked) {
            interrupted = true;
        } finally {
            giveUp();
        }
        // Not before: an interrupted thread could not tell the server.
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Lets {@link #run} return soon, giving up the lease. What was begun under it should have ended before. */
    public void stop() {
        stopping = true;
        sleeper.wake();
    }

    /** Lets {@link #run} return soon, leaving the lease to run out by itself, as if the process had died. */
    public void abandon() {
        abandoning = true;
        stop();
    }

    private boolean acquire() throws InterruptedException {
        while (!stopping) {
            if (attempt()) {
                return true;
            }
            double factor = 1 + JITTER * clocks.random().nextDouble();
            sleeper.sleep((long) (settings.retryPeriod().toNanos() * factor));
        }
        return false;
    }

    private void keep() throws InterruptedException {
        while (!stopping) {
            long left = settings.renewDeadline().toNanos() - fence.age();
            if (left <= 0) {
                log.atError()
                        .setMessage("Failed to renew lease")
                        .addKeyValue("renewDeadline", GoDuration.format(settings.renewDeadline()))
                        .log();
                return;
            }
            sleeper.sleep(Math.min(left, settings.retryPeriod().toNanos()));
            if (!stopping && !attempt() && lease.isSomebodyElses()) {
                log.atError()
                        .setMessage("Another replica has taken the lease")
                        .addKeyValue("identity", leader())
                        .log();
                return;
            }
        }
    }

    /** A server that does not answer leaves time for a second try, and a loss is noticed when it happens. */
    private long patience() {
        long deadline = settings.renewDeadline().toNanos();
        return fence.isLeading() ? Math.min(deadline / 2, deadline - fence.age()) : deadline / 2;
    }

    /** Takes or renews the lease; false where that did not succeed now. */
    private boolean attempt() {
        try {
            OptionalLong sentAt = bid();
            tellThatItWorks();
            sentAt.ifPresent(this::holdSince);
            tellOfNewLeader();
            return sentAt.isPresent();
        } catch (OvertakenException faster) {
            log.atDebug()
                    .setMessage("Another replica updated the lease first")
                    .addKeyValue("why", faster.getMessage())
                    .log();
            return false;
        } catch (IOException failed) {
            Level level = NoAnswer.level(failed);
            inTrouble |= level == Level.WARN;
            log.atLevel(level)
                    .setMessage("Cannot read or write the lease, retrying")
                    .addKeyValue("why", NoAnswer.why(failed))
                    .log();
            return false;
        }
    }

    private OptionalLong bid() throws IOException {
        OptionalLong renewed = fence.isLeading() ? lease.renew(Map.of()) : OptionalLong.empty();
        return renewed.isPresent() ? renewed : map.take(Map.of());
    }

    private void holdSince(long sentAt) {
        boolean first = !fence.isLeading();
        fence.renewed(sentAt);
        if (first) {
            lease.latest().ifPresent(this::recordEvent);
        }
    }

    private void recordEvent(Lease taken) {
        events.recordEvent(
                new Regarding(
                        "coordination.k8s.io/v1",
                        "Lease",
                        settings.resourceNamespace(),
                        settings.resourceName(),
                        taken.uid(),
                        taken.resourceVersion()),
                new ObjectEvent(
                        ObjectEvent.Type.NORMAL,
                        "LeaderElection",
                        "LeaderElection",
                        identity + " became leader",
                        reportingController));
    }

    private void tellThatItWorks() {
        if (inTrouble) {
            inTrouble = false;
            log.info("The lease can be read and written again");
        }
    }

    private void tellOfNewLeader() {
        String leader = leader();
        if (!leader.isEmpty() && !leader.equals(knownLeader)) {
            knownLeader = leader;
            callbacks.onNewLeader(leader);
        }
    }

    private void giveUp() {
        if (!fence.isLeading()) {
            return;
        }
        fence.lost();
        callbacks.onStoppedLeading();
        if (!abandoning && lease.isMine()) {
            release();
        }
    }

    private void release() {
        try {
            lease.release();
        } catch (IOException failed) {
            log.atWarn()
                    .setMessage("Failed to release lease, it will expire")
                    .addKeyValue("why", NoAnswer.why(failed))
                    .log();
        }
    }

    /** The calls of the elector's thread; they must return soon, as the lease is not renewed meanwhile. */
    public interface LeaderCallbacks {

        /** This replica schedules from now on. */
        void onStartedLeading();

        /** It was leading and does not any more, once and for all. */
        void onStoppedLeading();

        /** A new leader is known, perhaps this replica. */
        void onNewLeader(String identity);
    }
}
