package io.evenkeel.plugins.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.CommandResult.BindFailure;
import io.evenkeel.engine.CommandResult.EvictionFailure;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.SchedulerSettings;
import io.evenkeel.engine.decision.NodeChoice.AtRandom;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.build.PodStatusBuilder;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.queue.SchedulingQueue.QueueEntryView;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import io.evenkeel.rotation.Rotated;
import io.evenkeel.rotation.Rotation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Many pods come for which others go, and some of them go again before they have their places; the server refuses some bindings
 * and evictions, and loses answers. Ordinary pods that come meanwhile
 * have to wait; none of them sleeps while there is room for it beside all to whom room is left.
 */
class StormOfPreemptorsTest {
    private static final int NODES = 6;
    private static final int CPUS = 8;
    private static final int ORDINARY = 40;
    private static final int URGENT = 60;

    private final Map<String, Pod> pods = new HashMap<>();
    private final Set<String> gone = new HashSet<>();
    private SplittableRandom random = new SplittableRandom(1);
    private PlayedNews news = new PlayedNews(random, this::obey, this::scheduler);
    private long now;
    private int ordinary;
    private int urgent;
    private long version;

    static LongStream seeds() {
        return Rotation.seeds(100);
    }

    @Rotated(3)
    @ParameterizedTest
    @MethodSource("seeds")
    void noneSleepsBesideRoomForIt(long seed) {
        random = new SplittableRandom(seed);
        begin();
        for (int step = 0; step < 400; step++) {
            switch (random.nextInt(8)) {
                case 0, 1 -> createUrgent();
                case 2 -> createOrdinary();
                case 3 -> deleteSome("urgent-");
                case 4 -> deleteSome("batch-");
                default -> news.hear();
            }
            if (random.nextInt(3) > 0) {
                news.takeTurns();
            }
            now += TimeUnit.MILLISECONDS.toNanos(random.nextInt(300));
            news.scheduler().tick();
            news.takeTurns();
            assertThat(sleepers(QueueState.UNSCHEDULABLE))
                    .as("seed %d, step %d", seed, step)
                    .isEmpty();
        }
        for (int quiet = 0; quiet < 40; quiet++) {
            news.hearAll();
            now += TimeUnit.MILLISECONDS.toNanos(500);
            news.scheduler().tick();
            news.takeTurns();
        }
        assertThat(sleepers(QueueState.values())).as("seed %d", seed).isEmpty();
    }

    /** Ordinary pods that wait for a change, although there is room for them. */
    private List<String> sleepers(QueueState... states) {
        Map<String, Long> free = freeBesideNominated();
        List<String> sleepers = new ArrayList<>();
        for (QueueEntryView view : news.scheduler().queue().view()) {
            if (List.of(states).contains(view.state())
                    && view.priority() == 0
                    && free.values().stream().anyMatch(cpus -> cpus >= 1)) {
                sleepers.add(view + " " + free);
            }
        }
        return sleepers;
    }

    private Map<String, Long> freeBesideNominated() {
        Map<String, Long> free = new HashMap<>();
        NodeTable nodes = news.scheduler().cluster().nodes();
        PodTable table = news.scheduler().cluster().pods();
        for (int node = nodes.present().first();
                node >= 0;
                node = nodes.present().next(node + 1)) {
            free.put(nodes.name(node), (long) CPUS);
        }
        for (int row = 0; row < table.end(); row++) {
            if (!table.isFree(row)) {
                free.merge(nodes.name(table.node(row)), -cpus(table.pod(row)), Long::sum);
            }
        }
        for (QueueEntryView view : news.scheduler().queue().view()) {
            if (!view.nominatedNode().isEmpty() && view.priority() >= 0) {
                free.merge(
                        view.nominatedNode(),
                        -cpus(news.scheduler().queue().find(view.key()).orElseThrow()),
                        Long::sum);
            }
        }
        return free;
    }

    private static long cpus(Pod pod) {
        return Long.parseLong(pod.labels().getOrDefault("cpus", "0"));
    }

    private void obey(Command command) {
        switch (command) {
            case Command.Bind(Pod pod, String node, var _) -> bind(pod, node);
            case Command.Lookup(Pod pod) ->
                news.add(
                        random.nextInt(4) == 0
                                ? new CommandResult.LookupFailed(pod, "busy")
                                : new CommandResult.Found(pod, Optional.ofNullable(pods.get(pod.name()))));
            case Command.Evict evict -> {
                if (random.nextInt(8) == 0) {
                    news.add(new CommandResult.NotEvicted(evict.pod(), EvictionFailure.FAILED, "not now"));
                } else {
                    pods.remove(evict.pod().name());
                    gone.add(evict.pod().name());
                    news.addGoing(evict);
                }
            }
            case Command.PatchStatus patch
            when patch.nominatedNodeName().isPresent()
                    && !gone.contains(patch.pod().name()) -> {
                Pod written = PodBuilder.from(patch.pod())
                        .status(PodStatusBuilder.from(patch.pod().status())
                                .nominatedNodeName(patch.nominatedNodeName().get())
                                .build())
                        .version("" + version++, 1)
                        .build();
                if (!pods.getOrDefault(patch.pod().name(), written).isPlaced()) {
                    pods.put(patch.pod().name(), written);
                    news.add(new ClusterEvent.Put(written));
                }
            }
            default -> {}
        }
    }

    /** Now and then the server does not, or its answer is lost, whether it has or not. */
    private void bind(Pod pod, String node) {
        boolean fails = random.nextInt(10) == 0;
        boolean isLost = random.nextInt(10) == 0;
        SchedulerEvent answer = fails || isLost
                ? new CommandResult.NotBound(pod, node, isLost ? BindFailure.UNKNOWN : BindFailure.FAILED, "no")
                : new CommandResult.Bound(pod, node);
        if (fails || gone.contains(pod.name())) {
            news.add(answer);
            return;
        }
        Pod bound =
                PodBuilder.from(pod).nodeName(node).version("" + version++, 1).build();
        pods.put(pod.name(), bound);
        if (random.nextBoolean()) {
            news.add(answer, new ClusterEvent.Put(bound));
        } else {
            news.add(new ClusterEvent.Put(bound), answer);
        }
    }

    private Scheduler scheduler(Consumer<Command> commands) {
        return new Scheduler(
                SchedulerConfiguration.defaults(),
                InTreePlugins.registry(),
                new AtRandom(random),
                SchedulerSettings.of(50).withLongestUnschedulable(Duration.ofHours(9)),
                commands,
                SchedulerObserver.NONE,
                () -> now);
    }

    private void begin() {
        news = new PlayedNews(random, this::obey, this::scheduler);
        for (int node = 0; node < NODES; node++) {
            put(NodeBuilder.node("n" + node)
                    .allocatable("cpu", "" + CPUS, "pods", "110")
                    .build());
            for (int pod = 0; pod < CPUS; pod++) {
                create(pod("batch-" + node + pod, 1).priority(-1).nodeName("n" + node));
            }
        }
    }

    private void createUrgent() {
        for (int pod = random.nextInt(6); pod > 0 && urgent < URGENT; pod--) {
            create(pod("urgent-" + urgent++, 1 + random.nextInt(3)).priority(1 + random.nextInt(2)));
        }
    }

    private void createOrdinary() {
        if (ordinary < ORDINARY) {
            PodBuilder pod = pod("ordinary-" + ordinary++, 1);
            create(random.nextInt(2) == 0 ? pod.preempts(false) : pod);
        }
    }

    private void deleteSome(String prefix) {
        List<Pod> some = pods.values().stream()
                .filter(pod -> pod.name().startsWith(prefix))
                .sorted(Comparator.comparing(Pod::name))
                .toList();
        if (!some.isEmpty()) {
            Pod pod = some.get(random.nextInt(some.size()));
            pods.remove(pod.name());
            gone.add(pod.name());
            news.scheduler().handle(new ClusterEvent.Removed(pod));
        }
    }

    private void create(PodBuilder builder) {
        Pod pod = builder.version("" + version++, 1).build();
        pods.put(pod.name(), pod);
        put(pod);
    }

    private void put(KubernetesObject object) {
        news.scheduler().handle(new ClusterEvent.Put(object));
    }

    private static PodBuilder pod(String name, int cpus) {
        return PodBuilder.pod(name).uid(name).container("cpu", "" + cpus).label("cpus", "" + cpus);
    }
}
