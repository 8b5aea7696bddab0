package io.evenkeel.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.CycleState;
import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.framework.run.SchedulingProfile;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.rotation.Rotation;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Pods of many kinds in turn, on nodes that differ, fill, come and go: the best nodes by what the kinds share are those by the
 * totals of each node.
 */
class ManyKindsPropertyTest {
    private static final int NODES = 200;
    private static final int STEPS = 1_500;
    private static final String SCORING = """
        apiVersion: kubescheduler.config.k8s.io/v1
        kind: KubeSchedulerConfiguration
        profiles:
        - schedulerName: default-scheduler
          plugins:
            multiPoint:
              enabled:
              - name: NodeResourcesBalancedAllocation
                weight: %d
          pluginConfig:
          - name: NodeResourcesFit
            args:
              scoringStrategy:
                type: %s
                resources: [{name: cpu, weight: 3}, {name: memory, weight: 1}, {name: ephemeral-storage, weight: 1}]
        """;

    private final ClusterState cluster = new ClusterState();
    private final List<String> placed = new ArrayList<>();
    private final List<Kind> kinds = new ArrayList<>();
    private SplittableRandom random = new SplittableRandom();

    @Test
    void whatTheyShareFindsTheBestNodesOfEach() {
        Rotation.seeds(3).forEach(seed -> new ManyKindsPropertyTest().run(seed, "LeastAllocated", 1));
    }

    @Test
    void fullNodesFirst() {
        Rotation.seeds(2).forEach(seed -> new ManyKindsPropertyTest().run(seed, "MostAllocated", 2));
    }

    @Test
    void unevenNodesFirst() {
        Rotation.seeds(2).forEach(seed -> new ManyKindsPropertyTest().run(seed, "LeastAllocated", -3));
    }

    private void run(long seed, String strategy, int weight) {
        random = new SplittableRandom(seed);
        SchedulingProfile profile = SchedulingProfile.of(
                new ConfigurationReader()
                        .read("test", SCORING.formatted(weight, strategy))
                        .effectiveProfiles()
                        .getFirst(),
                InTreePlugins.registry(),
                cluster.view());
        for (int i = 0; i < NODES; i++) {
            cluster.put(node(i));
        }
        boolean wide = random.nextBoolean();
        for (int i = 0; i < 150; i++) {
            kinds.add(Kind.random(random, wide));
        }
        for (int step = 0; step < STEPS; step++) {
            changeSomething();
            place("p" + step, profile, "-Devenkeel.seed=" + seed + ", step " + step);
        }
        assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
    }

    private void changeSomething() {
        int what = random.nextInt(30);
        if (what == 0) {
            cluster.put(node(random.nextInt(NODES)));
        } else if (what == 1) {
            cluster.removeNode("n" + random.nextInt(NODES));
        } else if (what < 6 && !placed.isEmpty()) {
            cluster.removePod("default/" + placed.remove(random.nextInt(placed.size())));
        }
    }

    private void place(String name, SchedulingProfile profile, String where) {
        PodInfo pod = cluster.admit(kinds.get(random.nextInt(kinds.size())).pod(name));
        CycleState state = new CycleState();
        NodeSet feasible = profile.filters().run(state, pod);
        if (feasible.first() >= 0) {
            profile.scores().run(state, pod, feasible);
            NodeSet best = profile.scores().best(feasible).copy();
            assertThat(best)
                    .as(where)
                    .isEqualTo(profile.scores().best(feasible, profile.scores().totals()));
            cluster.put(PodBuilder.from(pod.pod())
                    .nodeName(cluster.view().nodes().name(best.first()))
                    .build());
            placed.add(name);
        }
        cluster.dismiss(pod);
    }

    private Node node(int number) {
        boolean isLarge = random.nextInt(3) == 0;
        NodeBuilder node = NodeBuilder.node("n" + number)
                .label("zone", "z" + number % 3)
                .allocatable("cpu", isLarge ? "64" : "7910m", "pods", random.nextInt(20) == 0 ? "3" : "110");
        if (random.nextInt(20) != 0) {
            node.allocatable("memory", isLarge ? "256Gi" : "31777Mi");
        }
        return random.nextInt(10) == 0
                ? node.taint("example.com/old", "", TaintEffect.PREFER_NO_SCHEDULE)
                        .build()
                : node.build();
    }

    /** What a pod asks for, and whether it is spread over zones so that classes of nodes score, too. */
    private record Kind(int cpu, int memory, boolean isSpread) {
        static Kind random(SplittableRandom random, boolean wide) {
            return new Kind(
                    random.nextInt(8) == 0 ? 0 : 100 + random.nextInt(wide ? 4_000 : 50),
                    random.nextInt(8) == 0 ? 0 : 128 + random.nextInt(wide ? 8_000 : 20),
                    random.nextInt(5) == 0);
        }

        Pod pod(String name) {
            PodBuilder pod =
                    PodBuilder.pod(name).label("app", "a").container("cpu", cpu + "m", "memory", memory + "Mi");
            return isSpread
                    ? pod.spread(TopologySpreadConstraint.of(
                                    1,
                                    "zone",
                                    WhenUnsatisfiable.SCHEDULE_ANYWAY,
                                    LabelSelector.matchingLabels(Labels.of("app", "a"))))
                            .build()
                    : pod.build();
        }
    }
}
