package io.evenkeel.whatif;

import static io.evenkeel.whatif.SchedulingOptions.USUAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.whatif.ClusterSnapshot.Preemption;
import io.evenkeel.whatif.ClusterSnapshot.Transaction;
import io.evenkeel.whatif.Verdict.Placed;
import io.evenkeel.whatif.Verdict.Refused;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterSnapshotTest {
    private static final String ZONE = "topology.kubernetes.io/zone";

    private final ClusterSnapshot cluster = empty();

    private static ClusterSnapshot empty() {
        return new ClusterSnapshot(SchedulerConfiguration.defaults(), InTreePlugins.registry());
    }

    private static Node node(String name, String zone, int cpus) {
        return NodeBuilder.node(name)
                .hostname(name)
                .zone(zone)
                .allocatable("cpu", Integer.toString(cpus), "pods", "110")
                .build();
    }

    private static PodBuilder pod(String name) {
        return PodBuilder.pod(name).label("app", "web").container("cpu", "1");
    }

    private static PodBuilder spread(String name, int maxSkew, String key) {
        LabelSelector selector = LabelSelector.matchingLabels(Labels.of("app", "web"));
        return pod(name).spread(TopologySpreadConstraint.of(maxSkew, key, WhenUnsatisfiable.DO_NOT_SCHEDULE, selector));
    }

    private void put(Node... nodes) {
        List.of(nodes).forEach(cluster::put);
    }

    /** The nodes with their pods in order; and all that is counted of them equals a recount. */
    private List<Object> there() {
        assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
        List<Object> there = new ArrayList<>();
        cluster.nodes().forEach(node -> {
            there.add(node);
            there.addAll(cluster.podsOn(node.name()));
        });
        return there;
    }

    @Test
    void podsStayWhereTheyGoUntilTheirTransactionIsClosed() {
        put(node("n1", "a", 1), node("n2", "b", 1));
        Pod one = pod("one").build();
        Pod two = pod("two").build();
        Pod three = pod("three").build();

        try (Transaction _ = cluster.begin()) {
            assertThat(cluster.schedulePods(List.of(one, two, three), USUAL))
                    .containsExactly(
                            new Placed(one, "n1"),
                            new Placed(two, "n2"),
                            new Refused(three, "0/2 nodes are available: 2 Insufficient cpu."));
            assertThat(cluster.nodeOf("default/two")).contains("n2");
            assertThat(cluster.podsOn("n2"))
                    .extracting(pod -> pod.spec().nodeName())
                    .containsExactly("n2");
        }

        assertThat(cluster.pods()).isEmpty();
    }

    @Test
    void aTransactionLeavesItsChangesToTheOneAroundIt() {
        put(node("n1", "a", 2));
        try (Transaction outer = cluster.begin()) {
            try (Transaction inner = cluster.begin()) {
                cluster.schedulePod(pod("kept").build(), USUAL);
                inner.commit();
            }
            try (Transaction _ = cluster.begin()) {
                cluster.schedulePod(pod("dropped").build(), USUAL);
            }
            assertThat(cluster.pods()).extracting(Pod::name).containsExactly("kept");
            outer.commit();
        }
        assertThat(cluster.pods()).extracting(Pod::name).containsExactly("kept");

        cluster.reset();

        assertThat(cluster.pods()).isEmpty();
    }

    @Test
    void whatIsPutDoesNotMixWithWhatIsSupposed() {
        put(node("n1", "a", 2));
        cluster.schedulePod(pod("one").build(), USUAL);

        assertThatThrownBy(() -> cluster.put(node("n2", "b", 2))).hasMessageContaining("reset");

        cluster.reset();
        cluster.put(node("n2", "b", 2));
        assertThat(cluster.nodes()).extracting(Node::name).containsExactly("n1", "n2");
    }

    @Test
    void aTemplateIsMadeUntilOneWaits() {
        put(node("n1", "a", 8), node("n2", "b", 1));

        List<Verdict> verdicts =
                cluster.schedulePodsByTemplate(spread("web", 1, ZONE).build(), 10, USUAL.asDryRun());

        assertThat(verdicts)
                .extracting(verdict -> verdict instanceof Placed(Pod _, String node) ? node : "")
                .containsExactly("n1", "n2", "n1", "");
        assertThat(cluster.pods()).isEmpty();
    }

    @Test
    void aPlacementNarrowsTheNodes() {
        put(node("n1", "a", 8), node("n2", "b", 8), node("n3", "b", 8));

        assertThat(cluster.canSchedulePod(pod("one").build(), USUAL.among(Set.of("n2", "n3"))))
                .containsExactly("n2", "n3");
        assertThat(cluster.schedulePod(pod("one").build(), USUAL.among(Set.of("n3"))))
                .isInstanceOfSatisfying(
                        Placed.class, placed -> assertThat(placed.node()).isEqualTo("n3"));
    }

    @Test
    void aWorkloadIsPlacedAsAWholeOrNotAtAll() {
        put(node("n1", "a", 2), node("n2", "b", 2));
        List<Pod> four = List.of(pod("a").build(), pod("b").build(), pod("c").build(), pod("d").build());
        List<Pod> five = new ArrayList<>(four);
        five.add(pod("e").build());

        assertThat(cluster.scheduleWorkload(five, USUAL)).hasSize(5).allMatch(Refused.class::isInstance);
        assertThat(cluster.pods()).isEmpty();
        assertThat(cluster.scheduleWorkload(four, USUAL)).hasSize(4).allMatch(Placed.class::isInstance);
        assertThat(cluster.pods()).hasSize(4);
    }

    @Test
    void aPodOfMorePriorityIsToldWhoWouldGoForIt() {
        put(node("n1", "a", 1));
        Pod lesser = pod("lesser").nodeName("n1").build();
        cluster.put(lesser);

        assertThat(cluster.preemptionFor(pod("more").priority(10).build()))
                .contains(new Preemption("n1", List.of(lesser)));
        assertThat(cluster.preemptionFor(pod("equal").build())).isEmpty();
    }

    @Test
    void aPodInPlaceIsJudgedBesideAllOthers() {
        put(node("n1", "a", 8), node("n2", "b", 8));
        List.of("p1", "p2", "p3")
                .forEach(
                        name -> cluster.put(spread(name, 1, ZONE).nodeName("n1").build()));

        assertThat(cluster.fitsOn(cluster.podsOn("n1").getFirst(), "n1")).isFalse();
        assertThat(cluster.fitsOn(cluster.podsOn("n1").getFirst(), "n2")).isTrue();
    }

    @Test
    void aPodGoesToTheNodeThatItIsNominatedToWhileItFitsThere() {
        put(node("n1", "a", 8), node("n2", "b", 1));
        Pod nominated = pod("nominated").nominatedNodeName("n2").build();

        assertThat(cluster.schedulePod(nominated, USUAL)).isEqualTo(new Placed(nominated, "n2"));

        Pod late = pod("late").nominatedNodeName("n2").build();
        assertThat(cluster.schedulePod(late, USUAL)).isEqualTo(new Placed(late, "n1"));
    }

    @Test
    void aNodeGoesWithItsPods() {
        put(node("n1", "a", 8), node("n2", "b", 8));
        cluster.put(pod("one").nodeName("n1").build());
        try (Transaction _ = cluster.begin()) {
            cluster.removeNode("n1");
            assertThat(cluster.pods()).isEmpty();
            assertThat(cluster.nodes()).extracting(Node::name).containsExactly("n2");
        }
        assertThat(cluster.nodeOf("default/one")).contains("n1");
    }

    @Test
    void aForkGoesItsOwnWay() {
        put(node("n1", "a", 8), node("n2", "b", 8));
        cluster.schedulePod(pod("one").build(), USUAL);

        ClusterSnapshot fork = cluster.fork();
        fork.schedulePod(pod("two").build(), USUAL);

        assertThat(cluster.pods()).extracting(Pod::name).containsExactly("one");
        assertThat(fork.pods()).extracting(Pod::name).containsExactlyInAnyOrder("one", "two");
        fork.reset();
        assertThat(fork.nodeOf("default/one")).isEqualTo(cluster.nodeOf("default/one"));
    }

    /** Whatever is tried: verdicts are the engine's decisions, and afterwards all counts are as before. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void whateverIsTriedIsTakenBack(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 6; i++) {
            put(node("n" + i, "z" + i % 3, 4));
        }
        for (int i = 0; i < 8; i++) {
            Pod pod = random(random, "p" + i);
            cluster.put(PodBuilder.from(pod).nodeName("n" + random.nextInt(6)).build());
        }
        for (int i = 0; i < 4; i++) {
            assertDecidedAsByTheEngine(random(random, "asked" + i));
        }
        List<Object> before = there();
        try (Transaction _ = cluster.begin()) {
            change(random, 3);
            there();
        }
        cluster.reset();

        assertThat(there()).isEqualTo(before);
    }

    private void change(Random random, int depth) {
        for (int i = 0; i < 6; i++) {
            switch (random.nextInt(5)) {
                case 0 -> cluster.schedulePod(random(random, "q" + random.nextInt(20)), USUAL);
                case 1 ->
                    cluster.preemptPods(
                            cluster.pods().stream().limit(random.nextInt(2)).toList());
                case 2 -> cluster.putNode(node("n" + random.nextInt(8), "z" + random.nextInt(4), random.nextInt(8)));
                case 3 -> cluster.removeNode("n" + random.nextInt(8));
                default -> {
                    if (depth > 0) {
                        try (Transaction inner = cluster.begin()) {
                            change(random, depth - 1);
                            if (random.nextBoolean()) {
                                inner.commit();
                            }
                        }
                    }
                }
            }
        }
    }

    private void assertDecidedAsByTheEngine(Pod pod) {
        Engine engine = new Engine(
                SchedulerConfiguration.defaults(),
                InTreePlugins.registry(),
                new FirstByName(),
                SchedulingCycle.Scoring.WHEN_NEEDED);
        cluster.nodes().forEach(engine::put);
        cluster.pods().forEach(engine::put);
        String node = engine.decide(pod) instanceof Decision.Placed placed
                ? engine.cluster().nodes().name(placed.node())
                : "";

        Verdict verdict = cluster.schedulePod(pod, USUAL.asDryRun());

        assertThat(verdict instanceof Placed placed ? placed.node() : "").isEqualTo(node);
        cluster.reset();
    }

    private static Pod random(Random random, String name) {
        PodBuilder pod = random.nextBoolean()
                ? spread(name, 1 + random.nextInt(2), random.nextBoolean() ? ZONE : "kubernetes.io/hostname")
                : pod(name);
        return pod.priority(random.nextInt(3)).build();
    }
}
