package io.evenkeel.app.live;

import io.evenkeel.config.SchedulerConfiguration.LeaderElection;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.dispatch.CommandSink;
import io.evenkeel.kube.election.LeaderElector;
import io.evenkeel.kube.election.LeaderElector.LeaderCallbacks;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The right of this replica to schedule: by a Lease that it holds, or because there is no election. */
final class Leadership {
    private static final Logger log = LoggerFactory.getLogger(Leadership.class);

    private final Machine machine;
    private volatile Optional<LeaderElector> elector = Optional.empty();
    private volatile boolean leading;
    private volatile Optional<Thread> thread = Optional.empty();
    private boolean over;

    Leadership(Machine machine) {
        this.machine = machine;
    }

    /** Leads from now on, unless the election is over. */
    synchronized void assume() {
        leading = !over;
    }

    /**
     * Takes part in the election, unless it is over; {@code won} is run once this replica leads, {@code lost} once if the
     * lease was held and is not any more.
     */
    synchronized void campaign(
            LeaderElection settings,
            String identity,
            ApiTransport transport,
            CommandSink events,
            String controller,
            Runnable won,
            Runnable lost) {
        if (over) {
            return;
        }
        LeaderElector running =
                new LeaderElector(settings, identity, transport, callbacks(won, lost), events, controller, machine);
        elector = Optional.of(running);
        log.atInfo()
                .setMessage("Attempting to acquire leader lease")
                .addKeyValue("lease", settings.resourceNamespace() + "/" + settings.resourceName())
                .addKeyValue("identity", running.identity())
                .log();
        Thread campaign = machine.dedicated("leader-election", running::run);
        thread = Optional.of(campaign);
        campaign.start();
    }

    private LeaderCallbacks callbacks(Runnable won, Runnable lost) {
        return new LeaderCallbacks() {
            @Override
            public void onStartedLeading() {
                assume();
                won.run();
            }

            @Override
            public void onStoppedLeading() {
                if (isLoss()) {
                    lost.run();
                }
            }

            @Override
            public void onNewLeader(String identity) {
                boolean ourselves = elector.filter(running -> running.identity().equals(identity))
                        .isPresent();
                log.atInfo()
                        .setMessage(ourselves ? "Successfully acquired lease" : "New leader elected")
                        .addKeyValue("identity", identity)
                        .log();
            }
        };
    }

    /** Whether it led until now. A replica that has resigned loses nothing, even if it won the lease a moment later. */
    private synchronized boolean isLoss() {
        boolean loss = leading;
        leading = false;
        return loss;
    }

    public boolean isLeading() {
        return leading;
    }

    /** Whether a binding may be sent now: leading is not enough where the lease is about to run out. */
    public boolean mayWrite() {
        return leading && elector.map(LeaderElector::mayBind).orElse(true);
    }

    /** Whether the election still notices what becomes of its lease. */
    public boolean isHealthy() {
        return elector.map(LeaderElector::healthy).orElse(true);
    }

    /** Gives the lease back, if this replica holds it, for another to take at once. */
    void resign(Duration time) throws InterruptedException {
        end();
        elector.ifPresent(LeaderElector::stop);
        if (thread.isPresent()) {
            thread.get().join(time);
        }
    }

    private synchronized void end() {
        over = true;
        leading = false;
    }

    /** Takes no more part in the election. A lease that this replica holds is kept, and renewed no more. */
    void abandon() {
        end();
        elector.ifPresent(LeaderElector::abandon);
        thread.ifPresent(Thread::interrupt);
    }
}
