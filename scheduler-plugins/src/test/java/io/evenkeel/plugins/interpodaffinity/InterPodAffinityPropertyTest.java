package io.evenkeel.plugins.interpodaffinity;

import static io.evenkeel.model.build.NodeBuilder.node;
import static io.evenkeel.model.build.PodBuilder.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.WhatIf;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.config.PluginArgs.InterPodAffinityArgs;
import io.evenkeel.model.Namespace;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.WeightedPodAffinityTerm;
import io.evenkeel.model.value.LabelRequirement;
import io.evenkeel.model.value.LabelRequirement.Operator;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.rotation.Rotation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Clusters that change at random; after each change the plugin must answer random pods as {@link
 * NaiveInterPodAffinity} does. A failure names its seed: {@code -Devenkeel.seed=…} runs it alone.
 */
class InterPodAffinityPropertyTest {
    private static final int STEPS = 100;
    private static final int MANY_NODES = 120;
    private static final int PODS_ON_MANY_NODES = 90;
    private static final List<String> NAMESPACES = List.of("team-a", "team-b", "team-c", "unknown");
    private static final List<String> KEYS = List.of("zone", "rack", "host", "nowhere");

    @TestFactory
    List<DynamicTest> answersAsTheRulesSay() {
        return Rotation.seeds(20)
                .mapToObj(seed -> DynamicTest.dynamicTest("seed " + seed, () -> new World(seed).run()))
                .toList();
    }

    private static final class World {
        private final long seed;
        private final Random random;
        private final ClusterState cluster = new ClusterState();
        private final NaiveInterPodAffinity naive;
        private final Answers answers;
        private final int nodeNames;
        private final boolean hostsAreNodes;
        private int podNumber;

        World(long seed) {
            this.seed = seed;
            random = new Random(seed);
            InterPodAffinityArgs args = new InterPodAffinityArgs(
                    oneOf(List.of(0, 1, 1, 7, 100)), random.nextInt(4) == 0, random.nextInt(3) == 0);
            naive = new NaiveInterPodAffinity(args);
            answers = new Answers(cluster, args);
            // Beyond 64 domains a topology has no sets of nodes, and counts are read otherwise.
            nodeNames = random.nextInt(3) == 0 ? MANY_NODES : 1 + random.nextInt(12);
            hostsAreNodes = random.nextBoolean();
        }

        void run() {
            for (int i = 0; i < nodeNames; i++) {
                putNode("n" + i);
            }
            // So many that nodes are kept by how many pods a rule counts on them.
            for (int i = 0; i < (nodeNames == MANY_NODES ? PODS_ON_MANY_NODES : 0); i++) {
                placePod();
            }
            for (int step = 0; step < STEPS; step++) {
                change();
                for (int i = 0; i < 3; i++) {
                    compare(newPod(), "step " + step);
                }
                if (random.nextInt(8) == 0) {
                    compareInAWhatIf(step);
                }
            }
            assertThat(ClusterAudit.differences(cluster.view()))
                    .as("seed " + seed)
                    .isEmpty();
        }

        private void compare(Pod pod, String when) {
            String what = "seed " + seed + ", " + when + ", " + pod;
            SortedMap<String, Status> expected = naive.verdicts(pod);
            assertThat(answers.verdictsOneByOne(pod)).as(what).isEqualTo(expected);
            assertThat(answers.verdicts(pod)).as(what).isEqualTo(expected);

            Set<String> feasible = new HashSet<>(naive.nodes.keySet());
            feasible.removeIf(node -> !expected.get(node).isSuccess() || random.nextInt(5) == 0);
            NodeSet ids = answers.nodes(feasible);
            SortedMap<String, Integer> scores = naive.scores(pod, feasible);
            assertThat(answers.scores(pod, ids)).as(what).isEqualTo(scores);
            assertThat(answers.scoresOneByOne(pod, ids)).as(what).isEqualTo(scores);
        }

        private void compareInAWhatIf(int step) {
            Pod asked = newPod();
            SortedMap<String, Pod> before = new TreeMap<>(naive.placed);
            try (WhatIf whatIf = cluster.whatIf()) {
                for (Pod pod : before.values()) {
                    if (random.nextInt(3) == 0) {
                        whatIf.remove(pod);
                        naive.placed.remove(pod.key());
                    }
                }
                compare(asked, "what-if in step " + step);
            }
            naive.placed.putAll(before);
            compare(asked, "after the what-if in step " + step);
        }

        private void change() {
            switch (random.nextInt(12)) {
                case 0 -> putNode("n" + random.nextInt(nodeNames));
                case 1 -> removeNode();
                case 2 -> changeNamespace();
                case 3, 4 -> removePod();
                case 5 -> changePod();
                default -> placePod();
            }
        }

        private void putNode(String name) {
            NodeBuilder node = node(name);
            if (random.nextInt(5) != 0) {
                node.label("zone", "z" + random.nextInt(3));
            }
            if (random.nextInt(3) != 0) {
                node.label("rack", "r" + random.nextInt(8));
            }
            if (random.nextInt(10) != 0) {
                node.label("host", hostsAreNodes ? name : "h" + random.nextInt(nodeNames));
            }
            Node built = node.build();
            cluster.putNode(built);
            naive.nodes.put(built.name(), built);
        }

        private void removeNode() {
            String name = "n" + random.nextInt(nodeNames);
            cluster.removeNode(name);
            naive.nodes.remove(name);
        }

        private void changeNamespace() {
            String name = NAMESPACES.get(random.nextInt(3));
            if (random.nextInt(3) == 0) {
                cluster.remove(new Namespace(ObjectMeta.named("", name)));
                naive.namespaces.remove(name);
                return;
            }
            Labels labels = randomLabels();
            cluster.put(new Namespace(ObjectMeta.named("", name).withLabels(labels)));
            naive.namespaces.put(name, labels);
        }

        private void placePod() {
            // Sometimes on a node that is not there.
            put(PodBuilder.from(newPod())
                    .nodeName("n" + random.nextInt(nodeNames))
                    .build());
        }

        private void removePod() {
            if (!naive.placed.isEmpty()) {
                String key = oneOf(List.copyOf(naive.placed.keySet()));
                cluster.removePod(key);
                naive.placed.remove(key);
            }
        }

        private void changePod() {
            if (!naive.placed.isEmpty()) {
                put(PodBuilder.from(oneOf(List.copyOf(naive.placed.values())))
                        .labels(randomLabels())
                        .terminating(random.nextBoolean())
                        .build());
            }
        }

        private void put(Pod pod) {
            int node = cluster.view().nodes().find(pod.spec().nodeName());
            if (node >= 0 && random.nextBoolean()) {
                cluster.assume(PodBuilder.from(pod).nodeName("").build(), node);
            } else {
                cluster.putPod(pod);
            }
            naive.placed.put(pod.key(), pod);
        }

        private Pod newPod() {
            return pod(oneOf(NAMESPACES), "p" + podNumber++)
                    .labels(randomLabels())
                    .terminating(random.nextInt(6) == 0)
                    .podAffinity(randomAffinity())
                    .build();
        }

        private PodAffinity randomAffinity() {
            if (random.nextInt(3) == 0) {
                return PodAffinity.NONE;
            }
            return new PodAffinity(
                    someOf(2, this::randomTerm),
                    someOf(3, this::randomPreference),
                    someOf(2, this::randomTerm),
                    someOf(3, this::randomPreference));
        }

        private WeightedPodAffinityTerm randomPreference() {
            return new WeightedPodAffinityTerm(1 + random.nextInt(100), randomTerm());
        }

        private PodAffinityTerm randomTerm() {
            return new PodAffinityTerm(
                    randomSelector(),
                    oneOf(KEYS),
                    random.nextInt(3) == 0 ? List.copyOf(new HashSet<>(someOf(2, () -> oneOf(NAMESPACES)))) : List.of(),
                    random.nextInt(3) == 0 ? randomSelector() : LabelSelector.NOTHING);
        }

        private LabelSelector randomSelector() {
            return switch (random.nextInt(8)) {
                case 0 -> LabelSelector.NOTHING;
                case 1 -> LabelSelector.EVERYTHING;
                default -> LabelSelector.of(someOf(2, this::randomRequirement));
            };
        }

        private LabelRequirement randomRequirement() {
            Operator operator = random.nextInt(4) != 0 ? Operator.IN : oneOf(List.of(Operator.values()));
            boolean hasValues = operator == Operator.IN || operator == Operator.NOT_IN;
            return new LabelRequirement(
                    oneOf(List.of("app", "app", "tier", "k" + random.nextInt(15))),
                    operator,
                    hasValues ? List.of("v" + random.nextInt(3), "v" + random.nextInt(3)) : List.of());
        }

        private Labels randomLabels() {
            Labels labels = Labels.EMPTY;
            for (String key : List.of("app", "tier", "k" + random.nextInt(15))) {
                if (random.nextInt(3) != 0) {
                    labels = labels.with(key, "v" + random.nextInt(3));
                }
            }
            return labels;
        }

        private <T> List<T> someOf(int most, Supplier<T> make) {
            List<T> some = new ArrayList<>();
            for (int i = random.nextInt(most + 1); i > 0; i--) {
                some.add(make.get());
            }
            return List.copyOf(some);
        }

        private <T> T oneOf(List<T> all) {
            return all.get(random.nextInt(all.size()));
        }
    }
}
