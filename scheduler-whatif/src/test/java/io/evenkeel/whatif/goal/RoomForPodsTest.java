package io.evenkeel.whatif.goal;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.model.Node;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.rotation.Rotation;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.ClusterSnapshot.Transaction;
import io.evenkeel.whatif.SchedulingOptions;
import io.evenkeel.whatif.Verdict;
import io.evenkeel.whatif.rebalance.Move;
import io.evenkeel.whatif.rebalance.MovePlan;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Room for a pod in clusters that are too large for all sets of moves to be tried. */
class RoomForPodsTest {
    private static final int BIG_NODES = 60;
    private static final int CPU = 16_000;
    private static final int MEMORY = 64_000;

    private final ClusterSnapshot cluster =
            new ClusterSnapshot(SchedulerConfiguration.defaults(), InTreePlugins.registry());

    static LongStream seeds() {
        return Rotation.seeds(20);
    }

    private static Node node(String name, String role, int cpu, int memory) {
        return NodeBuilder.node(name)
                .hostname(name)
                .label("role", role)
                .allocatable("cpu", cpu + "m", "memory", memory + "Mi", "pods", "110")
                .build();
    }

    private static PodBuilder pod(String name, int cpu, int memory) {
        return PodBuilder.pod(name)
                .container("cpu", cpu + "m", "memory", memory + "Mi")
                .controller(new OwnerReference("apps/v1", "ReplicaSet", "web", "u"));
    }

    private static Pod waiting(int cpu, int memory) {
        return pod("train", cpu, memory).nodeSelector("role", "big").build();
    }

    /** Pods of one processor that are of no account, so that there are more than are tried in all sets. */
    private void many() {
        for (int i = 0; i < 6; i++) {
            cluster.put(node("many-" + i, "many", 100_000, 110_000));
            for (int pod = 0; pod < 100; pod++) {
                cluster.put(pod("many-" + i + "-" + pod, 1_000, 1_000)
                        .nodeName("many-" + i)
                        .build());
            }
        }
    }

    private record Asked(int cpu, int memory) {}

    /** Elsewhere is room for all, so that the fewest are what resources ask for, which all sets of pods of each node tell. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void theFewestPodsLeaveANode(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Asked wanted = new Asked(2_000 + random.nextInt(12_000), 5_000 + random.nextInt(50_000));
        int fewest = Integer.MAX_VALUE;
        for (int i = 0; i < BIG_NODES; i++) {
            cluster.put(node("big-" + i, "big", CPU, MEMORY));
            List<Asked> there = filled(random);
            for (int pod = 0; pod < there.size(); pod++) {
                cluster.put(pod(
                                "p-" + i + "-" + pod,
                                there.get(pod).cpu(),
                                there.get(pod).memory())
                        .nodeName("big-" + i)
                        .build());
            }
            fewest = Math.min(fewest, fewest(there, wanted));
        }
        for (int i = 0; i < 10; i++) {
            cluster.put(node("else-" + i, "else", CPU, MEMORY));
        }
        many();

        Pod pod = waiting(wanted.cpu(), wanted.memory());
        MovePlan plan = GoalPlanner.plan(cluster, new Goal.Place(List.of(pod)));

        assertThat(plan.violationsAfter()).isZero();
        assertThat(plan.moves()).hasSize(fewest);
        assertThat(plan.optimal()).isTrue();
        assertCarriedOut(plan, pod);
    }

    private static List<Asked> filled(SplittableRandom random) {
        List<Asked> pods = new ArrayList<>();
        int cpu = CPU;
        int memory = MEMORY;
        while (pods.size() < 10 && cpu > 500 && memory > 2_000) {
            Asked next = new Asked(
                    Math.min(cpu, 100 + random.nextInt(4_000)), Math.min(memory, 1_000 + random.nextInt(16_000)));
            pods.add(next);
            cpu -= next.cpu();
            memory -= next.memory();
        }
        return pods;
    }

    private static int fewest(List<Asked> there, Asked wanted) {
        int fewest = Integer.MAX_VALUE;
        for (int set = 0; set < 1 << there.size(); set++) {
            int cpu = wanted.cpu();
            int memory = wanted.memory();
            for (int pod = 0; pod < there.size(); pod++) {
                cpu += (set >> pod & 1) == 1 ? 0 : there.get(pod).cpu();
                memory += (set >> pod & 1) == 1 ? 0 : there.get(pod).memory();
            }
            fewest = cpu <= CPU && memory <= MEMORY ? Math.min(fewest, Integer.bitCount(set)) : fewest;
        }
        return fewest;
    }

    private void assertCarriedOut(MovePlan plan, Pod pod) {
        try (Transaction _ = cluster.begin()) {
            cluster.preemptPods(plan.moves().stream().map(Move::pod).toList());
            for (Move move : plan.moves()) {
                assertThat(cluster.fitsOn(move.pod(), move.to())).isTrue();
                cluster.place(move.pod(), move.to());
            }
            assertThat(cluster.schedulePod(pod, SchedulingOptions.USUAL)).isInstanceOf(Verdict.Placed.class);
        }
    }

    /** One large pod would do, but nowhere else is room for it; for two small ones there is. */
    @Test
    void smallPodsGoWhereTheLargeOneCannot() {
        cluster.put(node("big-0", "big", 8_000, 8_000));
        cluster.put(pod("large", 4_000, 100).nodeName("big-0").build());
        cluster.put(pod("small-0", 2_000, 100).nodeName("big-0").build());
        cluster.put(pod("small-1", 2_000, 100).nodeName("big-0").build());
        cluster.put(node("else-0", "else", 2_000, 8_000));
        cluster.put(node("else-1", "else", 2_000, 8_000));
        many();

        Pod pod = waiting(4_000, 100);
        MovePlan plan = GoalPlanner.plan(cluster, new Goal.Place(List.of(pod)));

        assertThat(plan.moves()).extracting(move -> move.pod().name()).containsExactlyInAnyOrder("small-0", "small-1");
        assertThat(plan.violationsAfter()).isZero();
        // large might go if somebody made room for it
        assertThat(plan.optimal()).isFalse();
        assertThat(plan.least()).isEqualTo(new MovePlan.Bound(0, 1));
        assertCarriedOut(plan, pod);
    }

    /** One has the processors that are lacked, the other the memory: each suffices for a resource, and both must go. */
    @Test
    void resourcesAreLackedTogether() {
        cluster.put(node("big-0", "big", 8_000, 8_000));
        cluster.put(pod("processors", 6_000, 1_000).nodeName("big-0").build());
        cluster.put(pod("memory", 1_000, 6_000).nodeName("big-0").build());
        cluster.put(node("else-0", "else", 8_000, 8_000));
        many();

        MovePlan plan = GoalPlanner.plan(cluster, new Goal.Place(List.of(waiting(5_000, 5_000))));

        assertThat(plan.moves()).hasSize(2);
        assertThat(plan.optimal()).isTrue();
    }
}
