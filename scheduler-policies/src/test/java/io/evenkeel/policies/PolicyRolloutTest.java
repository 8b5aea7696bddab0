package io.evenkeel.policies;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.engine.Engine;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.decision.NodeChoice.AtRandom;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.model.Node;
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
import io.evenkeel.model.policy.PolicySpec.LeavingPods;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.testing.OneProfile;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Pods that come while others of their workload go: by a policy, and by a constraint of their own as kube-scheduler has it. */
class PolicyRolloutTest {
    private static final int SEEDS = 50;
    private static final int MAX_SKEW = 1;
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final List<String> ZONES = List.of("a", "b", "c");
    private static final int NODES_A_ZONE = 3;
    private static final LabelSelector APP = LabelSelector.matchingLabels(Labels.of("app", "web"));
    private static final TopologySpreadConstraint OWN =
            TopologySpreadConstraint.of(MAX_SKEW, ZONE, WhenUnsatisfiable.DO_NOT_SCHEDULE, APP);

    private SplittableRandom chance = new SplittableRandom(0);

    @Test
    void aRolloutUnderAPolicyEndsEven() {
        Engine engine = engine("PlacementPolicy");
        engine.put(policy());

        assertThat(skews(engine, () -> rollout(engine, pod -> pod)))
                .hasSize(SEEDS)
                .containsOnly(0);
    }

    /** So that it is the policy which does it. */
    @Test
    void byAConstraintOfTheirOwnMostRolloutsEndBeyondIt() {
        Engine engine = engine();

        assertThat(skews(engine, () -> rollout(engine, pod -> pod.spread(OWN))))
                .filteredOn(skew -> skew > MAX_SKEW)
                .hasSizeGreaterThan(SEEDS / 2);
    }

    /**
     * A node is drained, and the one pod in its zone has its replacement before it goes: at once, when the taint of a cordoned node
     * is not there yet.
     */
    @Test
    void aDrainUnderAPolicyLeavesOneInEachZone() {
        Engine engine = engine("PlacementPolicy");
        engine.put(policy());

        assertThat(skews(engine, () -> drain(engine, pod -> pod)))
                .hasSize(SEEDS)
                .containsOnly(0);
    }

    @Test
    void byAConstraintOfTheirOwnMostDrainsDoubleUp() {
        Engine engine = engine();

        assertThat(skews(engine, () -> drain(engine, pod -> pod.spread(OWN))))
                .filteredOn(skew -> skew > MAX_SKEW)
                .hasSizeGreaterThan(SEEDS / 2);
    }

    /** How unevenly the pods are left, seed by seed; on empty nodes each time. */
    private List<Integer> skews(Engine engine, Supplier<List<Pod>> leftBy) {
        List<Integer> skews = new ArrayList<>();
        for (int seed = 0; seed < SEEDS; seed++) {
            chance = new SplittableRandom(seed);
            List<Pod> left = leftBy.get();
            left.forEach(engine::remove);
            skews.add(skew(left));
        }
        return skews;
    }

    private List<Pod> rollout(Engine engine, UnaryOperator<PodBuilder> template) {
        return new Rollout(engine, chance.split(), template).run();
    }

    private static List<Pod> drain(Engine engine, UnaryOperator<PodBuilder> template) {
        List<Pod> pods = new ArrayList<>();
        for (int i = 0; i < ZONES.size(); i++) {
            pods.add(place(engine, template.apply(pod("web-" + i))));
        }
        Pod evicted = pods.removeFirst();
        Node drained = node(evicted.spec().nodeName());
        engine.put(NodeBuilder.from(drained).unschedulable(true).build());
        pods.add(place(engine, template.apply(pod("web-replacement"))));
        engine.remove(evicted);
        engine.put(drained);
        return pods;
    }

    private static PodBuilder pod(String name) {
        return PodBuilder.pod(name)
                .label("app", "web")
                .label("pod-template-hash", "one")
                .container("cpu", "100m");
    }

    private static Pod place(Engine engine, PodBuilder pod) {
        int node = ((Decision.Placed) engine.decide(pod.build())).node();
        Pod placed = pod.nodeName(engine.cluster().nodes().name(node)).build();
        engine.put(placed);
        return placed;
    }

    private Engine engine(String... plugins) {
        Engine engine = new Engine(
                OneProfile.with(plugins),
                InTreePlugins.registry(),
                new AtRandom(() -> chance.nextLong()),
                SchedulingCycle.Scoring.WHEN_NEEDED);
        ZONES.stream()
                .flatMap(zone -> IntStream.range(0, NODES_A_ZONE).mapToObj(i -> node(zone + i)))
                .forEach(engine::put);
        return engine;
    }

    private static PlacementPolicy policy() {
        PolicyRule rule =
                PolicyRule.over(ZONE).withMaxSkew(MAX_SKEW).on(RuleTerms.STRICT.matching(List.of("pod-template-hash")));
        return new PlacementPolicy(
                ObjectMeta.named("default", "web"),
                PolicySpec.of(APP, List.of(rule)).with(LeavingPods.IGNORE));
    }

    private static Node node(String name) {
        return NodeBuilder.node(name)
                .hostname(name)
                .zone(zoneOf(name))
                .allocatable("cpu", "4", "memory", "16Gi", "pods", "110")
                .build();
    }

    private static String zoneOf(String node) {
        return node.substring(0, 1);
    }

    private static int skew(List<Pod> pods) {
        Collection<Long> counts = Stream.concat(
                        pods.stream().map(pod -> zoneOf(pod.spec().nodeName())), ZONES.stream())
                .collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()))
                .values();
        return (int) (counts.stream().mapToLong(Long::longValue).max().orElse(0)
                - counts.stream().mapToLong(Long::longValue).min().orElse(0));
    }
}
