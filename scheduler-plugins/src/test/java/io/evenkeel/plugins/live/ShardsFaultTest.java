package io.evenkeel.plugins.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.ShardSettings;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.model.Node;
import io.evenkeel.model.PodCondition;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.rotation.Rotation;
import io.evenkeel.shard.ShardMap;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Several engines on one server, each behind its gate, with watches that lag and commands that come late or whose answers get lost;
 * engines end and begin anew, and nodes move between shards. Whatever happens, no node is overfilled, no pod bound twice, and required
 * anti-affinity holds at each binding, as the server counts; once all is calm, nobody waits who fits, and of each that waits stands there
 * what one engine would say.
 */
class ShardsFaultTest {
    private static final int STEPS = Integer.getInteger("evenkeel.steps", 3_000);
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final String POOL = "pool";
    private static final List<String> POOLS = List.of("a", "b", "c");

    static LongStream seeds() {
        return Rotation.seeds(12);
    }

    private SplittableRandom random = new SplittableRandom(1);
    private ShardedServer server = new ShardedServer(random, new ShardMap(ShardSettings.NONE), () -> 0);
    private long now;
    private int created;

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void ofHashedNames(long seed) {
        play(seed, new ShardSettings("", List.of(), 2 + (int) Long.remainderUnsigned(seed, 3), false));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void ofALabelThatChanges(long seed) {
        play(seed, new ShardSettings(POOL, List.of("a", "b"), 1, false));
    }

    private void play(long seed, ShardSettings settings) {
        random = new SplittableRandom(seed);
        server = new ShardedServer(random, new ShardMap(settings), () -> now);
        for (int node = 0; node < 8; node++) {
            putNode("n" + node);
        }
        server.begin();
        for (int step = 0; step < STEPS; step++) {
            step();
            if (step % 200 == 0) {
                server.audit();
            }
        }
        settle();
        server.audit();
        assertThat(server.whoIsOnItsWay()).isEmpty();
        assertNothingThatFitsStillWaitsAndEachIsToldAsByOneEngine();
        assertThat(server.bindings()).isGreaterThan(STEPS / 100);
    }

    private void step() {
        now += random.nextLong(TimeUnit.MILLISECONDS.toNanos(200));
        switch (random.nextInt(26)) {
            case 0, 1, 10 -> createPod();
            case 11, 16 -> deletePod();
            case 2 -> {
                if (random.nextInt(6) == 0) {
                    putNode("n" + random.nextInt(8));
                }
            }
            case 3, 4, 5, 6, 7 -> server.work(false);
            case 8 -> {
                if (random.nextInt(20) == 0) {
                    server.endOne();
                }
            }
            case 9 -> server.beginOne();
            case 12 -> {
                if (random.nextInt(8) == 0) {
                    server.breakWatch();
                }
            }
            case 13 -> now += random.nextInt(10) == 0 ? TimeUnit.SECONDS.toNanos(40) : 0;
            case 14, 15 -> server.exchange();
            default -> server.deliver();
        }
        server.decideSome();
    }

    private void putNode(String name) {
        server.put(NodeBuilder.node(name)
                .hostname(name)
                .zone("z" + name.charAt(1) % 3)
                .label(POOL, POOLS.get(random.nextInt(POOLS.size())))
                .allocatable("cpu", Integer.toString(ShardedServer.CPUS), "memory", "8Gi", "pods", "110")
                .unschedulable(random.nextInt(6) == 0)
                .build());
    }

    private void createPod() {
        String name = "p" + random.nextInt(50);
        if (server.pods().containsKey("default/" + name)) {
            return;
        }
        created++;
        String app = "app" + random.nextInt(4);
        PodBuilder pod = PodBuilder.pod(name)
                .uid(name + "-" + created)
                .label("app", app)
                .priority(random.nextInt(3))
                .container("cpu", Integer.toString(1 + random.nextInt(2)));
        String other = "app" + random.nextInt(4);
        switch (random.nextInt(12)) {
            case 0 -> pod.podAffinity(shunning(other, Node.HOSTNAME));
            case 1, 2 -> pod.podAffinity(shunning(other, ZONE));
            case 3 -> pod.podAffinity(new PodAffinity(List.of(term(other, ZONE)), List.of(), List.of(), List.of()));
            case 4, 5 ->
                pod.spread(TopologySpreadConstraint.of(1, ZONE, WhenUnsatisfiable.DO_NOT_SCHEDULE, selector(app)));
            case 6 -> pod.nodeSelector(POOL, POOLS.get(random.nextInt(POOLS.size())));
            case 7 -> pod.preempts(false);
            default -> {}
        }
        server.put(pod.build());
    }

    private static PodAffinity shunning(String app, String topologyKey) {
        return new PodAffinity(List.of(), List.of(), List.of(term(app, topologyKey)), List.of());
    }

    private static PodAffinityTerm term(String app, String topologyKey) {
        return new PodAffinityTerm(selector(app), topologyKey, List.of(), LabelSelector.NOTHING);
    }

    private static LabelSelector selector(String app) {
        return LabelSelector.matchingLabels(Labels.of("app", app));
    }

    private void deletePod() {
        List<String> keys = new ArrayList<>(server.pods().keySet());
        if (keys.size() > 20 && random.nextBoolean()) {
            server.removePod(keys.get(random.nextInt(keys.size())));
        }
    }

    private void settle() {
        server.beginAll();
        for (int quiet = 0; quiet < 30; quiet++) {
            boolean moved = true;
            for (int i = 0; moved; i++) {
                assertThat(i).as("steps until it is calm").isLessThan(20_000);
                moved = server.calm();
            }
            now += TimeUnit.SECONDS.toNanos(40);
            server.exchange();
        }
    }

    private void assertNothingThatFitsStillWaitsAndEachIsToldAsByOneEngine() {
        Engine judge = new Engine(
                SchedulerConfiguration.defaults(),
                InTreePlugins.registry(),
                new FirstByName(),
                SchedulingCycle.Scoring.WHEN_NEEDED);
        server.nodes().values().forEach(judge::put);
        server.pods().values().forEach(judge::put);
        assertThat(server.pods().values().stream().filter(pod -> !pod.isPlaced()))
                .allSatisfy(pod -> {
                    Decision decision = judge.decide(pod);
                    assertThat(decision)
                            .as("%s %s %s\n%s", pod.key(), pod.spec(), pod.status(), server.told(pod.key()))
                            .isInstanceOf(Decision.Unschedulable.class);
                    assertThat(pod.status().scheduled().map(PodCondition::message))
                            .as("%s %s\n%s", pod.key(), pod.status().shard(), server.told(pod.key()))
                            .contains(((Decision.Unschedulable) decision)
                                    .diagnosis()
                                    .message());
                });
    }
}
