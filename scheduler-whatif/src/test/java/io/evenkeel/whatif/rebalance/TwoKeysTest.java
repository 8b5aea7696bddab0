package io.evenkeel.whatif.rebalance;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.rotation.Rotation;
import io.evenkeel.whatif.ClusterSnapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Clusters that are too large to try all moves, spread by two keys, against all numbers of pods that nodes can have: for each level of
 * both keys, node by node. {@code -Devenkeel.seed=7} runs one seed.
 */
class TwoKeysTest {
    private static final int CLUSTERS = 50;
    /** Where no moves mend all, the plan searches on, for seconds. */
    private static final int MOST_IMPOSSIBLE = 2;

    private static final int NEVER = 1_000_000;
    private static final LabelSelector WEB = LabelSelector.matchingLabels(Labels.of("app", "web"));

    /** @param staying pods that nothing makes again */
    private record ANode(String zone, String other, int pods, int staying, int room) {
        int most() {
            return Math.max(pods, room);
        }
    }

    private record Key(String label, int maxSkew) {}

    private record Scene(List<ANode> nodes, Key zone, Key other) {
        static Scene draw(SplittableRandom random) {
            boolean nests = random.nextBoolean();
            int zones = 2 + random.nextInt(2);
            int count = nests ? 4 + random.nextInt(9) : 3 + random.nextInt(4);
            int most = nests ? 6 : 3;
            List<ANode> nodes = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int pods = random.nextInt(3) == 0 ? 0 : random.nextInt(most);
                nodes.add(new ANode(
                        "z" + (i < zones ? i : random.nextInt(zones)),
                        nests ? "n" + i : "r" + random.nextInt(2),
                        pods,
                        random.nextInt(6) == 0 ? random.nextInt(3) : 0,
                        random.nextInt(4) == 0 ? random.nextInt(4) : 20));
            }
            return new Scene(
                    nodes,
                    new Key("zone", 1 + random.nextInt(2)),
                    new Key(nests ? "host" : "rack", 1 + random.nextInt(3) / 2));
        }

        int pods() {
            return nodes.stream().mapToInt(ANode::pods).sum();
        }

        int staying() {
            return nodes.stream().mapToInt(ANode::staying).sum();
        }

        ClusterSnapshot snapshot() {
            ClusterSnapshot snapshot = new ClusterSnapshot(SchedulerConfiguration.defaults(), InTreePlugins.registry());
            for (int i = 0; i < nodes.size(); i++) {
                ANode node = nodes.get(i);
                snapshot.put(NodeBuilder.node("n" + i)
                        .labels(Labels.of(zone.label(), node.zone(), other.label(), node.other()))
                        .allocatable("cpu", Integer.toString(node.room() + node.staying()), "pods", "110")
                        .build());
                for (int pod = 0; pod < node.pods() + node.staying(); pod++) {
                    PodBuilder made = PodBuilder.pod("p" + i + "-" + pod)
                            .label("app", "web")
                            .container("cpu", "1")
                            .spread(hard(zone))
                            .spread(hard(other))
                            .nodeName("n" + i);
                    if (pod < node.pods()) {
                        made.controller(new OwnerReference("apps/v1", "ReplicaSet", "web", "u"));
                    }
                    snapshot.put(made.build());
                }
            }
            return snapshot;
        }

        private static TopologySpreadConstraint hard(Key key) {
            return TopologySpreadConstraint.of(key.maxSkew(), key.label(), WhenUnsatisfiable.DO_NOT_SCHEDULE, WEB);
        }

        /** The fewest moves after which both constraints hold; {@link #NEVER} if there are none. */
        int fewest() {
            int fewest = NEVER;
            int all = pods() + staying();
            long zones = nodes.stream().map(ANode::zone).distinct().count();
            long others = nodes.stream().map(ANode::other).distinct().count();
            for (int low = 0; low * zones <= all; low++) {
                for (int otherLow = 0; otherLow * others <= all; otherLow++) {
                    fewest = Math.min(fewest, fewest(low, otherLow));
                }
            }
            return fewest;
        }

        /** Node by node: how many pods each domain has so far, and the fewest that came to be so. */
        private int fewest(int low, int otherLow) {
            Map<Map<String, Integer>, Integer> reached = Map.of(Map.of(), 0);
            for (int i = 0; i < nodes.size(); i++) {
                ANode node = nodes.get(i);
                boolean isLastOfZone = nodes.stream()
                        .skip(i + 1)
                        .noneMatch(later -> later.zone().equals(node.zone()));
                boolean isLastOfOther = nodes.stream()
                        .skip(i + 1)
                        .noneMatch(later -> later.other().equals(node.other()));
                Map<Map<String, Integer>, Integer> next = new HashMap<>();
                reached.forEach((sums, came) -> {
                    for (int pods = 0; pods <= node.most(); pods++) {
                        Map<String, Integer> then = new HashMap<>(sums);
                        int inZone = then.merge(node.zone(), pods + node.staying(), Integer::sum);
                        int inOther = then.merge(node.other(), pods + node.staying(), Integer::sum);
                        if (inZone > low + zone.maxSkew()
                                || inOther > otherLow + other.maxSkew()
                                || (isLastOfZone && inZone < low)
                                || (isLastOfOther && inOther < otherLow)) {
                            continue;
                        }
                        then.merge("all", pods, Integer::sum);
                        if (isLastOfZone) {
                            then.remove(node.zone());
                        }
                        if (isLastOfOther) {
                            then.remove(node.other());
                        }
                        next.merge(then, came + Math.max(0, pods - node.pods()), Math::min);
                    }
                });
                reached = next;
            }
            return reached.getOrDefault(Map.of("all", pods()), NEVER);
        }
    }

    static LongStream seeds() {
        return Rotation.seeds(20);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void theFlowIsExact(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int impossible = 0;
        for (int i = 0; i < CLUSTERS; i++) {
            Scene scene = Scene.draw(random.split());
            String where = "seed " + seed + "L, cluster " + i + ": " + scene;
            int fewest = scene.fewest();
            impossible += fewest == NEVER ? 1 : 0;
            if (fewest == NEVER && impossible > MOST_IMPOSSIBLE) {
                continue;
            }

            MovePlan plan = Rebalancer.plan(scene.snapshot());

            if (fewest == NEVER) {
                assertThat(plan.least().violations()).as(where).isPositive();
                assertThat(plan.violationsAfter()).as(where).isPositive();
            } else {
                assertThat(plan.violationsAfter()).as(where).isZero();
                assertThat(plan.moves()).as(where).hasSize(fewest);
                assertThat(plan.optimal()).as(where).isTrue();
            }
        }
    }
}
