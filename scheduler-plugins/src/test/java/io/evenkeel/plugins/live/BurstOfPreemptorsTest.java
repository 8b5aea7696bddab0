package io.evenkeel.plugins.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.cluster.ClusterState.ClusterLimits;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.SchedulerSettings;
import io.evenkeel.engine.decision.NodeChoice.AtRandom;
import io.evenkeel.engine.decision.Question.Answer;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.build.PodStatusBuilder;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.queue.QueueSettings.HintLimits;
import io.evenkeel.rotation.Rotation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Many pods come, some at a time, for which others of the same size have to go: one goes for each, in whatever order the server
 * says so, the watch shows it and the pods are gone, and however often the others are tried meanwhile; and each gets its place.
 * Some need a license: an extender has a say in who goes for them, takes its time, and now and then leaves nobody or fails.
 */
class BurstOfPreemptorsTest {
    private static final int NODES = 4;
    private static final int PODS_A_NODE = 6;
    private static final int URGENT = 15;

    private static final SchedulerConfiguration CONFIGURATION = new ConfigurationReader().read("test", """
        apiVersion: kubescheduler.config.k8s.io/v1
        kind: KubeSchedulerConfiguration
        extenders:
        - urlPrefix: http://licenses
          preemptVerb: preempt
          managedResources: [{name: example.com/license, ignoredByScheduler: true}]
        """);

    /** However long the news take, nobody is believed to stay. */
    private static final SchedulerSettings PATIENT = new SchedulerSettings(
            Set.of(),
            URGENT,
            Duration.ofMinutes(5),
            Duration.ofHours(1),
            Duration.ofSeconds(5),
            ClusterLimits.USUAL,
            HintLimits.USUAL);

    private final List<Command.Evict> asked = new ArrayList<>();
    private final Set<String> bound = new HashSet<>();
    private SplittableRandom random = new SplittableRandom(1);
    private PlayedNews news = new PlayedNews(random, this::obey, this::scheduler);
    private int created;
    private long now;

    static LongStream seeds() {
        return Rotation.seeds(200);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void oneGoesForEach(long seed) {
        random = new SplittableRandom(seed);
        begin();
        while (bound.size() < URGENT && now < TimeUnit.HOURS.toNanos(1)) {
            if (random.nextInt(3) == 0) {
                createSome(random.nextInt(URGENT));
            }
            now += TimeUnit.MILLISECONDS.toNanos(random.nextInt(1_500));
            news.scheduler().tick();
            news.takeTurns();
            if (random.nextInt(3) > 0 && news.hear()) {
                news.takeTurns();
            }
        }

        assertThat(bound).hasSize(URGENT);
        assertThat(asked).extracting(evict -> evict.pod().key()).doesNotHaveDuplicates();
        assertThat(asked).hasSize(URGENT);
        assertThat(ClusterAudit.differences(news.scheduler().cluster())).isEmpty();
    }

    private void obey(Command command) {
        switch (command) {
            case Command.Bind(Pod pod, String node, var _) -> {
                bound.add(pod.name());
                news.scheduler().handle(new CommandResult.Bound(pod, node));
                put(PodBuilder.from(pod).nodeName(node).build());
            }
            case Command.Evict evict -> {
                asked.add(evict);
                news.addGoing(evict);
            }
            case Command.AskOfVictims question ->
                news.add(new SchedulerEvent.ExtendersAnswered(question.pod(), answer(question)));
            default -> {}
        }
    }

    private Answer answer(Command.AskOfVictims question) {
        return switch (random.nextInt(6)) {
            case 0 -> new Answer.Failed("out of order");
            case 1 -> new Answer.VictimsChosen(List.of());
            default -> new Answer.VictimsChosen(question.candidates());
        };
    }

    private Scheduler scheduler(Consumer<Command> commands) {
        return new Scheduler(
                CONFIGURATION,
                InTreePlugins.registry(),
                new AtRandom(random),
                PATIENT,
                commands,
                SchedulerObserver.NONE,
                () -> now);
    }

    private void begin() {
        news = new PlayedNews(random, this::obey, this::scheduler);
        for (int node = 0; node < NODES; node++) {
            put(NodeBuilder.node("n" + node)
                    .allocatable("cpu", "" + PODS_A_NODE, "pods", "110")
                    .build());
            for (int pod = 0; pod < PODS_A_NODE; pod++) {
                put(pod("batch-" + node + pod)
                        .nodeName("n" + node)
                        .status(PodStatusBuilder.running()
                                .startTime("2026-01-01T00:00:00Z")
                                .build())
                        .build());
            }
        }
    }

    private void createSome(int most) {
        for (int pod = 0; pod < most && created < URGENT; pod++) {
            PodBuilder urgent = pod("urgent-" + created++).priority(1_000);
            put((random.nextInt(3) == 0 ? urgent.container("example.com/license", "1") : urgent).build());
        }
    }

    private void put(KubernetesObject object) {
        news.scheduler().handle(new ClusterEvent.Put(object));
    }

    private static PodBuilder pod(String name) {
        return PodBuilder.pod(name).uid(name).container("cpu", "1");
    }
}
