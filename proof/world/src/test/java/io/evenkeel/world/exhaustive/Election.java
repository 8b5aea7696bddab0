package io.evenkeel.world.exhaustive;

import io.evenkeel.config.SchedulerConfiguration.LeaderElection;
import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.election.LeaderElector;
import io.evenkeel.kube.election.LeaderElector.LeaderCallbacks;
import io.evenkeel.world.play.Actors;
import io.evenkeel.world.play.Agenda;
import io.evenkeel.world.play.LocalClock;
import io.evenkeel.world.play.SimulatedProcess;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Two electors, the first of which leads. As long as no time passes nothing can become of a lease, so they begin no sooner
 * than time does.
 */
final class Election implements AutoCloseable {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Agenda agenda = new Agenda();
    private final LocalClock clock = new LocalClock(agenda, 8);
    private final SmallServer server;
    private List<Candidate> candidates = List.of();

    Election(SmallServer server) {
        this.server = server;
    }

    /** A process with an elector. */
    private final class Candidate implements LeaderCallbacks, ApiTransport {
        private final SimulatedProcess process;
        private final LeaderElector elector;
        private boolean leading;
        private boolean lost;

        private Candidate(int number, Actors actors) {
            process = new SimulatedProcess(agenda, actors, clock, number, false);
            elector = new LeaderElector(
                    LeaderElection.defaults(), "replica-" + number, this, this, (_, _) -> {}, "small", process);
            process.thread("leader-election", elector::run).start();
            pass(agenda.now());
        }

        @Override
        public void onStartedLeading() {
            leading = true;
        }

        @Override
        public void onStoppedLeading() {
            leading = false;
            lost = true;
        }

        @Override
        public void onNewLeader(String identity) {}

        @Override
        public ApiAnswer call(ApiCall call) {
            return server.answer(call);
        }

        @Override
        public ApiAnswer stream(ApiCall call) {
            throw new IllegalStateException("an elector watches nothing");
        }

        @Override
        public String host() {
            return "small";
        }
    }

    LocalClock clock() {
        return clock;
    }

    private void begin() {
        if (candidates.isEmpty()) {
            Actors actors = new Actors();
            Candidate first = new Candidate(0, actors);
            candidates = List.of(first, new Candidate(1, actors));
        }
    }

    boolean leads(int number) {
        return candidates.isEmpty() ? number == 0 : candidates.get(number).leading;
    }

    /** Whether a replica knows that it leads no more: its process ends then. */
    boolean hasLost(int number) {
        return !candidates.isEmpty() && candidates.get(number).lost;
    }

    boolean mayWrite(int number) {
        return leads(number)
                && (candidates.isEmpty() || candidates.get(number).elector.mayBind());
    }

    /** Whether the lease says that it does. */
    boolean holds(int number) {
        return candidates.isEmpty()
                ? number == 0
                : candidates.get(number).elector.identity().equals(server.holder());
    }

    /** Time passes. */
    void passUntil(long time) {
        begin();
        pass(time);
    }

    private void pass(long time) {
        boolean more = true;
        while (more) {
            more = agenda.next(time);
        }
    }

    /** The first stands still, or is gone for good, until the second leads. */
    void handOver(boolean gone) {
        begin();
        Candidate first = candidates.getFirst();
        if (gone) {
            first.process.kill();
        }
        while (!leads(1)) {
            if (!gone) {
                first.process.stopFor(SECOND);
            }
            agenda.next(agenda.now() + SECOND / 2);
        }
    }

    /** The first has stood still and goes on: its elector looks at the time. */
    void firstGoesOn() {
        pass(agenda.now() + SECOND + 1);
    }

    @Override
    public void close() {
        candidates.forEach(each -> each.process.kill());
    }

    /** What is known of it, for those who compare worlds. */
    @Override
    public String toString() {
        return clock.nanos() + " " + leads(0) + mayWrite(0) + hasLost(0) + " " + leads(1) + mayWrite(1);
    }
}
