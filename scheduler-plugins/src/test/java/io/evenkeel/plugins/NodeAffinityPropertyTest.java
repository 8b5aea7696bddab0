package io.evenkeel.plugins;

import static io.evenkeel.model.build.PodBuilder.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.PreFilterResult;
import io.evenkeel.config.PluginArgs.NodeAffinityArgs;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.NodeAffinity;
import io.evenkeel.model.constraint.NodeAffinity.PreferredSchedulingTerm;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorRequirement.Operator;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Random requirements and preferences on random nodes, with and without affinity added by the profile. */
class NodeAffinityPropertyTest {

    @Test
    void bothFormsAgreeAndScoresFollowTheFormula() {
        RandomCluster any = RandomCluster.withTheSeed(NodeAffinityPropertyTest::label);
        SplittableRandom random = any.random();
        agreesWithNaiveForms(any, NodeAffinity.NONE);
        agreesWithNaiveForms(any, anyAffinity(random));
    }

    private static void agreesWithNaiveForms(RandomCluster any, NodeAffinity added) {
        PluginHarness cluster = any.harness();
        io.evenkeel.plugins.NodeAffinity plugin =
                new io.evenkeel.plugins.NodeAffinity(cluster.context(new NodeAffinityArgs(Optional.of(added))));

        any.rounds(1_000, () -> {
            Pod pod = anyPod(any.random());
            Set<String> feasible = any.someNodes();
            Set<String> passing = cluster.passing(plugin, pod);

            assertThat(cluster.filterAll(plugin, pod)).isEqualTo(cluster.filterEach(plugin, pod));
            switch (cluster.preFilter(plugin, pod)) {
                case PreFilterResult.Skip _ -> assertThat(passing).isEqualTo(cluster.names());
                case PreFilterResult.Rejected _ -> assertThat(passing).isEmpty();
                case PreFilterResult.OnlyNodes only -> assertThat(only.names()).containsAll(passing);
                case PreFilterResult.Proceed _ -> {}
            }
            assertThat(cluster.scores(plugin, pod, feasible)).isEqualTo(naiveScores(cluster, pod, added, feasible));
            if (cluster.preScore(plugin, pod).isSkip()) {
                assertThat(cluster.scores(plugin, pod, feasible).values()).containsOnly(0);
            }
        });
    }

    private static Map<String, Integer> naiveScores(
            PluginHarness cluster, Pod pod, NodeAffinity added, Set<String> feasible) {
        Map<String, Integer> sums = new TreeMap<>();
        for (String name : feasible) {
            Node node = cluster.state()
                    .view()
                    .nodes()
                    .node(cluster.state().view().nodes().find(name));
            sums.put(
                    name,
                    Stream.concat(added.preferred().stream(), pod.spec().nodeAffinity().preferred().stream())
                            .filter(term -> term.preference().matches(node.labels(), name))
                            .mapToInt(PreferredSchedulingTerm::weight)
                            .sum());
        }
        int most = sums.values().stream().mapToInt(Integer::intValue).max().orElse(0);
        sums.replaceAll((name, sum) -> most == 0 ? 0 : 100 * sum / most);
        return sums;
    }

    private static void label(SplittableRandom random, NodeBuilder node) {
        for (int key = 0; key < 3; key++) {
            if (random.nextInt(3) > 0) {
                node.label("k" + key, Integer.toString(random.nextInt(3)));
            }
        }
    }

    private static Pod anyPod(SplittableRandom random) {
        PodBuilder pod = pod("p").nodeAffinity(anyAffinity(random));
        if (random.nextInt(4) == 0) {
            pod.nodeSelector("k0", Integer.toString(random.nextInt(3)));
        }
        return pod.build();
    }

    private static NodeAffinity anyAffinity(SplittableRandom random) {
        Optional<NodeSelector> required = random.nextBoolean()
                ? Optional.empty()
                : Optional.of(new NodeSelector(some(random, 3, () -> anyTerm(random))));
        return new NodeAffinity(
                required, some(random, 3, () -> new PreferredSchedulingTerm(1 + random.nextInt(100), anyTerm(random))));
    }

    private static NodeSelectorTerm anyTerm(SplittableRandom random) {
        return new NodeSelectorTerm(
                some(random, 2, () -> anyExpression(random)),
                random.nextInt(3) > 0
                        ? List.of()
                        : some(
                                random,
                                2,
                                () -> Terms.field(
                                        random.nextInt(3) > 0 ? Operator.IN : Operator.NOT_IN,
                                        "n" + random.nextInt(70))));
    }

    private static NodeSelectorRequirement anyExpression(SplittableRandom random) {
        Operator operator = RandomCluster.oneOf(random, Operator.values());
        String value = Integer.toString(random.nextInt(3));
        List<String> values = switch (operator) {
            case IN, NOT_IN -> List.of(value, Integer.toString(random.nextInt(3)));
            case GT, LT -> List.of(value);
            case EXISTS, DOES_NOT_EXIST -> List.of();
        };
        return new NodeSelectorRequirement("k" + random.nextInt(3), operator, values);
    }

    private static <T> List<T> some(SplittableRandom random, int most, Supplier<T> element) {
        return Stream.generate(element).limit(random.nextInt(most + 1)).toList();
    }
}
