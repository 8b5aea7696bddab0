package io.evenkeel.plugins.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.cluster.ClusterState.ClusterLimits;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.SchedulerSettings;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.decision.NodeChoice.AtRandom;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.framework.TreeContext;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.queue.QueueSettings.HintLimits;
import io.evenkeel.rotation.Rotation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The live scheduler against a server that lags, repeats itself, forgets and lies: whatever happens, nothing is lost,
 * nothing bound twice, no node overfilled; and once the server behaves again, every pod that fits is in place and the
 * scheduler knows exactly what the server has. {@code -Devenkeel.seed} and {@code -Devenkeel.steps} as elsewhere.
 */
class SchedulerFaultTest {
    private static final int STEPS = Integer.getInteger("evenkeel.steps", 1_500);
    private static final int CPUS = 4;

    private SplittableRandom random = new SplittableRandom(1);
    private SimulatedServer server = new SimulatedServer(random);
    private Stumbles stumbles = new Stumbles(random);
    private Scheduler scheduler = scheduler(InTreePlugins.registry());
    private long now;
    private int created;

    /** The same in each build; try others with {@code -Devenkeel.seed}. */
    static LongStream seeds() {
        return Rotation.seeds(20);
    }

    private Scheduler scheduler(PluginRegistry registry) {
        return new Scheduler(
                SchedulerConfiguration.defaults(),
                registry,
                new AtRandom(random),
                new SchedulerSettings(
                        Set.of("Pod", "Node"),
                        8,
                        Duration.ofMinutes(5),
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(5),
                        ClusterLimits.LEAST,
                        HintLimits.LEAST),
                this::send,
                new SchedulerObserver() {
                    @Override
                    public void decided(long nanos) {
                        stumbles.perhaps();
                    }
                },
                () -> now);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void nothingIsLostOrDoubledWhateverTheServerDoes(long seed) {
        begin(seed, InTreePlugins.registry());
        stumbles.end();
        play();
    }

    /** A plugin, an observer, and whoever takes the commands that bind and nominate. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void norWhoeverStumblesOverAPod(long seed) {
        begin(
                seed,
                InTreePlugins.registry()
                        .withInEveryProfile(TreeContext.factory(
                                StumblingPlugin.NAME,
                                StumblingPlugin.class,
                                context -> new StumblingPlugin(context, stumbles))));
        play();
        assertThat(stumbles.count).isGreaterThan(STEPS / 100);
    }

    private void begin(long seed, PluginRegistry registry) {
        random = new SplittableRandom(seed);
        server = new SimulatedServer(random);
        stumbles = new Stumbles(random);
        scheduler = scheduler(registry);
    }

    private void play() {
        for (int step = 0; step < STEPS; step++) {
            step();
            if (step % 50 == 0) {
                assertThat(ClusterAudit.differences(scheduler.cluster())).isEmpty();
                assertNoNodeIsOverfilled();
                assertNothingIsReservedForPodsThatWait();
            }
        }
        stumbles.end();
        settle();
        assertThat(ClusterAudit.differences(scheduler.cluster())).isEmpty();
        assertNoNodeIsOverfilled();
        assertThat(scheduler.onTheirWay()).isEmpty();
        assertThat(placementsKnown()).isEqualTo(placementsAtServer());
        assertThat(scheduler.queue().pods().stream().map(Pod::key))
                .containsExactlyInAnyOrderElementsOf(
                        waitingAtServer().stream().map(Pod::key).toList());
        assertNothingThatFitsStillWaits();
    }

    private void step() {
        now += random.nextLong(TimeUnit.MILLISECONDS.toNanos(200));
        switch (random.nextInt(16)) {
            case 0 -> createPod();
            case 1 -> deletePod();
            case 2 -> changeNodes();
            case 3 -> server.work(false);
            case 4 -> {
                if (random.nextInt(3) == 0) {
                    server.breakWatch(random.nextInt(8) == 0 ? "Node" : "Pod");
                }
            }
            case 5 -> now += random.nextInt(10) == 0 ? TimeUnit.SECONDS.toNanos(40) : 0;
            case 6 -> interfere();
            case 7, 8 -> server.nextAnswer().ifPresent(scheduler::handle);
            case 9, 10, 11, 12 -> server.nextEvent().ifPresent(scheduler::handle);
            default -> scheduleNext();
        }
        scheduler.tick();
    }

    private void scheduleNext() {
        stumbles.whileDeciding(true);
        scheduler.scheduleNext();
        stumbles.whileDeciding(false);
    }

    /** That a pod may not be bound after it got its permit ends the process, as it was not the pod's turn. */
    private void send(Command command) {
        boolean nominates = command instanceof Command.PatchStatus patch
                && patch.conditions().isEmpty();
        boolean bindsAtOnce = command instanceof Command.Bind
                && !stumbles.delayed.contains(command.pod().meta().uid());
        if (nominates || bindsAtOnce || command instanceof Command.Evict) {
            stumbles.perhaps();
        }
        server.submit(command);
    }

    private void assertNothingIsReservedForPodsThatWait() {
        Set<String> onTheirWay = scheduler.onTheirWay().stream()
                .map(binding -> binding.pod().meta().uid())
                .collect(Collectors.toSet());
        assertThat(scheduler.queue().pods().stream()
                        .map(pod -> pod.meta().uid())
                        .filter(uid -> !onTheirWay.contains(uid)))
                .noneMatch(stumbles.reserved::contains);
    }

    private void createPod() {
        String name = "p" + random.nextInt(40);
        if (server.pods().containsKey("default/" + name)) {
            return;
        }
        created++;
        PodBuilder pod = PodBuilder.pod(name)
                .uid(name + "-" + created)
                .label("app", "app" + random.nextInt(3))
                .priority(random.nextInt(3))
                .container("cpu", Integer.toString(1 + random.nextInt(2)));
        if (random.nextInt(3) == 0) {
            LabelSelector same = LabelSelector.matchingLabels(Labels.of("app", "app0"));
            pod.podAffinity(new PodAffinity(
                    List.of(),
                    List.of(),
                    List.of(new PodAffinityTerm(same, "kubernetes.io/hostname", List.of(), LabelSelector.NOTHING)),
                    List.of()));
        }
        server.put(pod.schedulerName(random.nextInt(6) == 0 ? "other" : "default-scheduler")
                .build());
    }

    private void deletePod() {
        List<String> keys = new ArrayList<>(server.pods().keySet());
        if (!keys.isEmpty() && random.nextInt(3) == 0) {
            server.removePod(keys.get(random.nextInt(keys.size())));
        }
    }

    private void changeNodes() {
        String name = "n" + random.nextInt(5);
        if (server.nodes().containsKey(name) && random.nextInt(8) == 0 && !isInUse(name)) {
            server.removeNode(name);
        } else {
            server.put(NodeBuilder.node(name)
                    .hostname(name)
                    .zone("z" + random.nextInt(2))
                    .allocatable("cpu", Integer.toString(CPUS), "memory", "8Gi", "pods", "110")
                    .build());
        }
    }

    private boolean isInUse(String node) {
        return server.pods().values().stream()
                .anyMatch(pod -> pod.spec().nodeName().equals(node));
    }

    /** Another scheduler binds a pod of its own where there is room even if ours has sent there what it has decided. */
    private void interfere() {
        server.pods().values().stream()
                .filter(pod -> !pod.isPlaced() && pod.spec().schedulerName().equals("other"))
                .findFirst()
                .ifPresent(pod -> server.bindByOther(pod.key(), "elsewhere"));
    }

    /** From now on the server behaves; goes on until nothing happens any more, however long is waited. */
    private void settle() {
        for (int quiet = 0; quiet < 20; quiet++) {
            boolean moved = true;
            while (moved) {
                moved = scheduler.scheduleNext();
                if (server.hasWork()) {
                    server.work(true);
                    moved = true;
                }
                var event = server.nextEvent().or(server::nextAnswer);
                if (event.isPresent()) {
                    scheduler.handle(event.get());
                    moved = true;
                }
            }
            now += TimeUnit.SECONDS.toNanos(40);
            scheduler.tick();
        }
    }

    private Map<String, String> placementsAtServer() {
        Map<String, String> placements = new TreeMap<>();
        server.pods().values().stream()
                .filter(Pod::isPlaced)
                .forEach(pod -> placements.put(pod.key(), pod.spec().nodeName()));
        return placements;
    }

    private Map<String, String> placementsKnown() {
        ClusterView cluster = scheduler.cluster();
        Map<String, String> placements = new TreeMap<>();
        for (Pod pod : cluster.placedPods()) {
            int row = cluster.pods().find(pod.key());
            placements.put(pod.key(), cluster.nodes().name(cluster.pods().node(row)));
        }
        return placements;
    }

    private List<Pod> waitingAtServer() {
        return server.pods().values().stream()
                .filter(pod -> !pod.isPlaced() && pod.spec().schedulerName().equals("default-scheduler"))
                .toList();
    }

    private void assertNoNodeIsOverfilled() {
        Map<String, Long> used = new TreeMap<>();
        server.pods().values().stream()
                .filter(pod -> pod.isPlaced() && pod.spec().schedulerName().equals("default-scheduler"))
                .forEach(pod -> used.merge(
                        pod.spec().nodeName(),
                        pod.spec().containers().getFirst().requests().get("cpu").milliValue(),
                        Long::sum));
        assertThat(used.values()).allMatch(milli -> milli <= CPUS * 1000L);
    }

    private void assertNothingThatFitsStillWaits() {
        Engine judge = new Engine(
                SchedulerConfiguration.defaults(),
                InTreePlugins.registry(),
                new FirstByName(),
                SchedulingCycle.Scoring.WHEN_NEEDED);
        server.nodes().values().forEach(node -> judge.put(node));
        server.pods().values().forEach(pod -> judge.put(pod));
        assertThat(waitingAtServer())
                .allSatisfy(pod -> assertThat(judge.decide(pod)).isInstanceOf(Decision.Unschedulable.class));
    }
}
