package io.evenkeel.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.ClusterChange;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.SchedulerSettings;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.queue.SchedulingQueue.QueueEntryView;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import io.evenkeel.rotation.Rotation;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Nobody sleeps who fits: while a cluster changes at random under a live scheduler, each pod that waits for a change fits
 * nowhere, or another engine would have placed it. And not too many are woken in vain. {@code -Devenkeel.seed=7} runs one
 * seed, {@code -Devenkeel.seeds=200} more of them.
 */
class SleepersPropertyTest {
    private static final int STEPS = Integer.getInteger("evenkeel.steps", 600);
    private static final int WAITING = 24;

    private static final SchedulerConfiguration CONFIGURATION = new ConfigurationReader().read("test", """
        apiVersion: kubescheduler.config.k8s.io/v1
        kind: KubeSchedulerConfiguration
        profiles:
        - pluginConfig:
          - name: PodTopologySpread
            args:
              defaultingType: List
              defaultConstraints:
              - {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}
        """);

    private final Queue<Command> commands = new ArrayDeque<>();
    private final List<Pod> bound = new ArrayList<>();
    private final Engine oracle =
            new Engine(CONFIGURATION, InTreePlugins.registry(), new FirstByName(), SchedulingCycle.Scoring.WHEN_NEEDED);
    private final Attempts attempts = new Attempts();
    private long now;
    private final Scheduler scheduler = new Scheduler(
            CONFIGURATION,
            InTreePlugins.registry(),
            new FirstByName(),
            SchedulerSettings.of(0).withLongestUnschedulable(Duration.ofDays(30)),
            commands::add,
            attempts,
            () -> now);

    private static final class Attempts implements SchedulerObserver {
        private int placed;
        private int inVain;

        @Override
        public void attempted(String profile, AttemptResult result, long nanos) {
            placed += result == AttemptResult.SCHEDULED ? 1 : 0;
            inVain += result == AttemptResult.UNSCHEDULABLE ? 1 : 0;
        }
    }

    static LongStream seeds() {
        return Rotation.seeds(12);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void nobodySleepsWhoFits(long seed) {
        RandomObjects random = new RandomObjects(seed, 1);
        Map<String, KubernetesObject> objects = new TreeMap<>();
        scheduler.watchedKinds().forEach(kind -> scheduler.handle(new Relist.Began(kind.name())));
        scheduler.watchedKinds().forEach(kind -> scheduler.handle(new Relist.Ended(kind.name())));
        int asleep = 0;
        for (int step = 0; step < STEPS; step++) {
            String where = "seed %dL, step %d".formatted(seed, step);
            now += TimeUnit.SECONDS.toNanos(1);
            if (scheduler.queue().pods().size() < WAITING) {
                Pod pod = random.waitingPod(step);
                happens(new ClusterEvent.Put(
                        PodBuilder.from(pod).uid(pod.name()).build()));
            }
            random.change(objects).ifPresent(this::apply);
            if (bound.size() > 2) {
                remove(bound.removeFirst());
            }
            asleep += check(where);
        }
        assertThat(asleep).as("pods that slept, or nothing was tested").isGreaterThan(STEPS);
        assertThat(attempts.placed).as("pods that were placed").isGreaterThan(STEPS / 4);
        assertThat(attempts.inVain).as("attempts in vain").isLessThan(5 * attempts.placed);
    }

    private int check(String where) {
        int asleep = 0;
        for (QueueEntryView view : scheduler.queue().view()) {
            if (view.state() == QueueState.UNSCHEDULABLE) {
                asleep++;
                Pod pod = scheduler.queue().find(view.key()).orElseThrow();
                assertThat(oracle.decide(pod))
                        .as("%s: %s sleeps by %s", where, pod, view)
                        .isInstanceOf(Decision.Unschedulable.class);
            }
        }
        return asleep;
    }

    private void apply(ClusterChange change) {
        change.after()
                .ifPresentOrElse(
                        after -> {
                            oracle.put(after);
                            happens(new ClusterEvent.Put(after));
                        },
                        () -> remove(change.before().orElseThrow()));
    }

    private void remove(KubernetesObject object) {
        oracle.remove(object);
        happens(new ClusterEvent.Removed(object));
    }

    private void happens(ClusterEvent event) {
        scheduler.handle(event);
        do {
            while (scheduler.scheduleNext()) {
                bind();
            }
            scheduler.tick();
        } while (scheduler.queue().hasHintsToAsk() || scheduler.queue().counts().active() > 0);
    }

    private void bind() {
        for (Command command = commands.poll(); command != null; command = commands.poll()) {
            if (command instanceof Command.Bind bind) {
                Pod placed = PodBuilder.from(bind.pod()).nodeName(bind.node()).build();
                oracle.put(placed);
                bound.add(placed);
                scheduler.handle(new CommandResult.Bound(bind.pod(), bind.node()));
                scheduler.handle(new ClusterEvent.Put(placed));
            }
        }
    }
}
