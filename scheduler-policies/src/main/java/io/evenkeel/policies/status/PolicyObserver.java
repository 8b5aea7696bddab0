package io.evenkeel.policies.status;

import io.evenkeel.app.companion.Companion;
import io.evenkeel.app.companion.CompanionProvider;
import io.evenkeel.app.companion.Surroundings;
import io.evenkeel.app.companion.Times;
import io.evenkeel.app.metrics.Instruments;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.kube.patch.PatchSink.Pace;
import io.evenkeel.model.Pod;
import io.evenkeel.policies.PlacementPolicyPlugin;
import io.evenkeel.policies.ReadablePolicy.PolicyReadings;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Says of each policy how it is kept, while this replica leads. On the engine's thread: a pod that begins or ends to wait costs a
 * look-up, and once a second as many domains are read as take a few milliseconds.
 */
public final class PolicyObserver implements Companion {
    /** A rolling update that has more pods for a moment is no news. */
    private static final Duration USUAL_SETTLE = Duration.ofSeconds(10);

    private static final Pace PACE = new Pace(10, Duration.ofSeconds(5));
    private static final long BETWEEN_TICKS = TimeUnit.SECONDS.toNanos(1);
    private static final long DOMAINS_A_TICK = 200_000;

    private final List<String> keepers;
    private final Times times;
    private final PolicyMetrics metrics = new PolicyMetrics();
    private final WaitingByLabels waiting = new WaitingByLabels(this::isKept);
    private Optional<Surroundings> surroundings = Optional.empty();
    private Optional<StatusWrites> writes = Optional.empty();
    private Optional<PolicyBoard> board = Optional.empty();
    private long tickedAt;

    /** @param keepers the profiles that keep policies; events are by the first */
    PolicyObserver(List<String> keepers, Times times) {
        this.keepers = List.copyOf(keepers);
        this.times = times;
        tickedAt = times.now() - BETWEEN_TICKS;
    }

    /** One where a profile keeps policies. */
    public static Optional<PolicyObserver> of(SchedulerConfiguration configuration) {
        return of(configuration, new Times(System::nanoTime, InstantSource.system(), USUAL_SETTLE));
    }

    /** Makes one that goes by another clock. */
    public static Optional<PolicyObserver> of(SchedulerConfiguration configuration, Times times) {
        List<String> keepers = PlacementPolicyPlugin.profilesIn(configuration);
        return keepers.isEmpty() ? Optional.empty() : Optional.of(new PolicyObserver(keepers, times));
    }

    /** Of profiles that name its plugin. */
    public static final class Provider implements CompanionProvider {
        @Override
        public List<Companion> companions(Setup setup) {
            return PolicyObserver.of(setup.configuration())
                    .<List<Companion>>map(List::of)
                    .orElse(List.of());
        }
    }

    @Override
    public void begin(Surroundings around) {
        surroundings = Optional.of(around);
        writes = Optional.of(new StatusWrites(around.patches("policy-statuses", PACE), times));
    }

    @Override
    public Instruments metrics() {
        return metrics;
    }

    @Override
    public void taking(Scheduler scheduler, SchedulerEvent event) {
        waiting.take(event);
    }

    @Override
    public void turned(Scheduler scheduler, int events, long turnNanos) {
        long now = times.now();
        if (now - tickedAt >= BETWEEN_TICKS && scheduler.isSynced() && isLeading()) {
            tickedAt = now;
            PolicyBoard known = board.orElseGet(() -> board(scheduler));
            known.tick(scheduler, DOMAINS_A_TICK);
            known.show(metrics);
        }
    }

    private boolean isKept(Pod pod) {
        return keepers.contains(pod.spec().schedulerName());
    }

    private boolean isLeading() {
        return surroundings.filter(Surroundings::isLeading).isPresent();
    }

    private PolicyBoard board(Scheduler scheduler) {
        PolicyBoard made = new PolicyBoard(
                new PolicyReadings(scheduler.cluster()),
                waiting,
                this::isKept,
                times,
                new PolicyNews(surroundings.orElseThrow().events(), keepers.getFirst()),
                writes.orElseThrow());
        board = Optional.of(made);
        return made;
    }
}
