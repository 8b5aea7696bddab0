package io.evenkeel.policies;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.engine.Engine;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.decision.NodeChoice.AtRandom;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicyRule.RuleTerms;
import io.evenkeel.model.policy.PolicySpec;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.testing.OneProfile;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Twenty pods by racks of unequal size and by nodes, beside pods of others that the other score plugins would rather avoid. */
class SoftSpreadTest {
    private static final int SEEDS = 100;
    private static final String RACK = "rack";
    private static final String HOST = "kubernetes.io/hostname";
    private static final LabelSelector APP = LabelSelector.matchingLabels(Labels.of("app", "web"));
    private static final List<Integer> NODES_BY_RACK = List.of(14, 12, 15);
    private static final int LOAD = 30;
    private static final int SPREAD = 20;

    /** Pods by rack, the fullest first, and the most on a node. */
    private record Shares(List<Integer> racks, int mostOnNode) {
        static final Shares EVEN = new Shares(List.of(7, 7, 6), 1);
    }

    private SplittableRandom random = new SplittableRandom(0);
    private final Map<String, String> rackOf = new TreeMap<>();

    @Test
    void softRulesSpreadEvenlyWhateverOthersPrefer() {
        Engine engine = engine("PlacementPolicy");
        engine.put(new PlacementPolicy(
                ObjectMeta.named("default", "web"), PolicySpec.of(APP, List.of(soft(RACK), soft(HOST)))));

        assertThat(seeds(engine, pod -> pod)).containsOnlyKeys(Shares.EVEN);
    }

    /** So that it is the rules which do it. */
    @Test
    void constraintsOfThePodsThemselvesAreOutweighedNowAndThen() {
        Map<Shares, Long> shares =
                seeds(engine(), pod -> pod.spread(ownConstraint(RACK)).spread(ownConstraint(HOST)));

        assertThat(shares).containsKey(Shares.EVEN).hasSizeGreaterThan(1);
    }

    private static PolicyRule soft(String topologyKey) {
        return PolicyRule.over(topologyKey)
                .withMaxSkew(1)
                .on(RuleTerms.STRICT.whenUnsatisfiable(WhenUnsatisfiable.SCHEDULE_ANYWAY));
    }

    private static TopologySpreadConstraint ownConstraint(String topologyKey) {
        return TopologySpreadConstraint.of(1, topologyKey, WhenUnsatisfiable.SCHEDULE_ANYWAY, APP);
    }

    private Engine engine(String... plugins) {
        Engine engine = new Engine(
                OneProfile.with(plugins),
                InTreePlugins.registry(),
                new AtRandom(() -> random.nextLong()),
                SchedulingCycle.Scoring.WHEN_NEEDED);
        for (int rack = 0; rack < NODES_BY_RACK.size(); rack++) {
            for (int i = 0; i < NODES_BY_RACK.get(rack); i++) {
                String name = "r" + rack + "-n" + i;
                engine.put(NodeBuilder.node(name)
                        .hostname(name)
                        .label(RACK, "r" + rack)
                        .allocatable("cpu", "4", "memory", "16Gi", "pods", "110")
                        .build());
                rackOf.put(name, "r" + rack);
            }
        }
        return engine;
    }

    /** How often it ends how. */
    private Map<Shares, Long> seeds(Engine engine, UnaryOperator<PodBuilder> spreading) {
        return LongStream.range(0, SEEDS)
                .mapToObj(seed -> shares(engine, seed, spreading))
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    }

    private Shares shares(Engine engine, long seed, UnaryOperator<PodBuilder> spreading) {
        random = new SplittableRandom(seed);
        List<Pod> load = IntStream.range(0, LOAD)
                .mapToObj(i -> PodBuilder.pod("load-" + i)
                        .container("cpu", random.nextInt(100, 3000) + "m", "memory", random.nextInt(1, 8) + "Gi"))
                .map(pod -> place(engine, pod.build()))
                .toList();
        List<Pod> spread = IntStream.range(0, SPREAD)
                .mapToObj(i -> PodBuilder.pod("web-" + i).label("app", "web").container("cpu", "100m"))
                .map(pod -> place(engine, spreading.apply(pod).build()))
                .toList();
        load.forEach(engine::remove);
        spread.forEach(engine::remove);
        return new Shares(
                fullestFirst(spread, node -> rackOf.getOrDefault(node, "")),
                fullestFirst(spread, node -> node).getFirst());
    }

    private static List<Integer> fullestFirst(List<Pod> pods, UnaryOperator<String> domainOf) {
        return pods.stream()
                .collect(Collectors.toMap(pod -> domainOf.apply(pod.spec().nodeName()), _ -> 1, Integer::sum))
                .values()
                .stream()
                .sorted(Comparator.reverseOrder())
                .toList();
    }

    private static Pod place(Engine engine, Pod pod) {
        int node = ((Decision.Placed) engine.decide(pod)).node();
        Pod placed = PodBuilder.from(pod)
                .nodeName(engine.cluster().nodes().name(node))
                .build();
        engine.put(placed);
        return placed;
    }
}
