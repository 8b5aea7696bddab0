package io.evenkeel.whatif.drain;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodDisruptionBudget;
import io.evenkeel.model.Toleration;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.build.PodStatusBuilder;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.IntOrPercent;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.drain.DrainPlan.Impossible;
import io.evenkeel.whatif.drain.DrainPlan.NotFound;
import io.evenkeel.whatif.drain.DrainPlan.Planned;
import io.evenkeel.whatif.drain.DrainPlan.Step;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DrainPlanTest {
    private static final Toleration EVERYTHING = new Toleration("", Toleration.Operator.EXISTS, "", Optional.empty());

    private final ClusterSnapshot cluster =
            new ClusterSnapshot(SchedulerConfiguration.defaults(), InTreePlugins.registry());

    private void put(KubernetesObject... objects) {
        List.of(objects).forEach(cluster::put);
    }

    private static Node node(String name, String zone, int cpus) {
        return NodeBuilder.node(name)
                .hostname(name)
                .zone(zone)
                .allocatable("cpu", Integer.toString(cpus), "pods", "110")
                .build();
    }

    private static PodBuilder pod(String name, String node) {
        return unowned(name, node).controller(new OwnerReference("apps/v1", "ReplicaSet", "web", "uid"));
    }

    private static PodBuilder unowned(String name, String node) {
        return PodBuilder.pod(name).label("app", "web").container("cpu", "1").nodeName(node);
    }

    private static TopologySpreadConstraint spread(int maxSkew, String key) {
        return TopologySpreadConstraint.of(maxSkew, key, WhenUnsatisfiable.DO_NOT_SCHEDULE, web());
    }

    private static LabelSelector web() {
        return LabelSelector.matchingLabels(Labels.of("app", "web"));
    }

    private static PodDisruptionBudget budget(String name, String minAvailable, String maxUnavailable) {
        return new PodDisruptionBudget(
                ObjectMeta.named("default", name), web(), amount(minAvailable), amount(maxUnavailable), 0, Set.of());
    }

    private static Optional<IntOrPercent> amount(String text) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(text.endsWith("%") ? IntOrPercent.parse(text) : IntOrPercent.of(Integer.parseInt(text)));
    }

    private static WorkloadOwner replicaSet(int replicas) {
        return new WorkloadOwner(WorkloadOwner.Kind.REPLICA_SET, ObjectMeta.named("default", "web"), web(), replicas);
    }

    private DrainPlan plan(int mostAway, Node... surge) {
        return DrainPlanner.plan(
                cluster,
                new DrainPlanner.Request(
                        cluster.nodes().stream().map(Node::name).toList(), mostAway, List.of(surge), false));
    }

    /** A line a step: {@code n2 (after n1): a→n1 | b→n3}, a wave after the other. */
    private static List<String> lines(DrainPlan plan) {
        assertThat(plan).isInstanceOf(Planned.class);
        return ((Planned) plan)
                .steps().stream()
                        .map(step -> step.node()
                                + (step.back().isEmpty() ? "" : " (after " + String.join(", ", step.back()) + ")")
                                + ": "
                                + String.join(
                                        " | ",
                                        step.waves().stream()
                                                .map(wave -> String.join(
                                                        " ",
                                                        wave.stream()
                                                                .map(move -> move.pod()
                                                                                .name() + "→" + move.to())
                                                                .toList()))
                                                .toList()))
                        .toList();
    }

    private static String why(DrainPlan plan) {
        assertThat(plan).isInstanceOf(Impossible.class);
        return ((Impossible) plan).why();
    }

    /** It is gone once its own node is drained, and no sooner. */
    @Test
    void aPodThatIsBeingDeletedKeepsItsRoomOnAnotherNode() {
        put(node("n1", "a", 1), node("n2", "b", 1), pod("stays", "n1").build());
        put(pod("goes", "n2").terminating(true).build());

        assertThat(lines(plan(1))).containsExactly("n2: ", "n1 (after n2): stays→n2");
    }

    @Test
    void eachNodeIsEmptiedOnceAndIsBackForTheNext() {
        put(
                node("n1", "a", 2),
                node("n2", "b", 2),
                pod("x", "n1").build(),
                pod("y", "n2").build());

        assertThat(lines(plan(1))).containsExactly("n1: x→n2", "n2 (after n1): x→n1 y→n1");
    }

    @Test
    void noMoreNodesAreAwayThanMayBe() {
        put(
                node("n1", "a", 2),
                node("n2", "b", 2),
                node("n3", "c", 2),
                pod("x", "n1").build());

        assertThat(lines(plan(2))).containsExactly("n1: x→n2", "n2: x→n3", "n3 (after n1): x→n1");
    }

    @Test
    void aBudgetLetsPodsGoInWaves() {
        put(node("n1", "a", 4), node("n2", "b", 4), budget("web", "", "2"));
        put(pod("x", "n1").build(), pod("y", "n1").build(), pod("z", "n1").build());

        assertThat(lines(plan(1)).getFirst()).isEqualTo("n1: x→n2 y→n2 | z→n2");
    }

    @Test
    void aShareIsOfWhatTheOwnersAreToHave() {
        put(node("n1", "a", 4), node("n2", "b", 4), budget("web", "", "40%"), replicaSet(4));
        put(pod("x", "n1").build(), pod("y", "n1").build(), pod("z", "n2").build());

        // of 4, 40 % are 2, and one is missing already
        assertThat(lines(plan(1)).getFirst()).isEqualTo("n1: x→n2 | y→n2");
    }

    @Test
    void aBudgetThatLetsNobodyGoIsTheContradiction() {
        put(node("n1", "a", 4), node("n2", "b", 4), budget("web", "100%", ""));
        put(pod("x", "n1").build(), pod("y", "n2").build());

        assertThat(why(plan(1)))
                .isEqualTo(
                        "pod default/x on n1 cannot be evicted: PodDisruptionBudget default/web lets none of its 2 pods go"
                                + " (minAvailable 100%: 2 must be there)");
    }

    @Test
    void aPodThatIsNotReadyUsesUpNoBudget() {
        Pod ill = pod("ill", "n1")
                .status(PodStatusBuilder.running()
                        .startTime("2026-01-01T00:00:00Z")
                        .build())
                .build();
        put(node("n1", "a", 4), node("n2", "b", 4), budget("web", "1", ""));
        put(ill, pod("well", "n1").build());

        // the successor of the one that was ill is ready, and lets the other go
        assertThat(lines(plan(1)).getFirst()).isEqualTo("n1: ill→n2 | well→n2");
    }

    @Test
    void theApiServerEvictsNoPodWithTwoBudgets() {
        put(node("n1", "a", 4), node("n2", "b", 4), budget("one", "0", ""), budget("two", "0", ""));
        put(pod("x", "n1").build());

        assertThat(why(plan(1)))
                .isEqualTo("pod default/x on n1 has 2 PodDisruptionBudgets, and the API server evicts no such pod");
    }

    @Test
    void aPodWithoutControllerGoesOnlyWhereThatIsAllowed() {
        put(node("n1", "a", 4), node("n2", "b", 4), unowned("debug", "n1").build());

        assertThat(why(plan(1)))
                .isEqualTo("pod default/debug on n1 has no controller, and nothing would make it again");

        DrainPlan forced = DrainPlanner.plan(cluster, new DrainPlanner.Request(List.of("n1"), 1, List.of(), true));
        assertThat(((Planned) forced).steps())
                .singleElement()
                .satisfies(step -> assertThat(step.gone()).extracting(Pod::name).containsExactly("debug"))
                .satisfies(step -> assertThat(step.moves()).isEmpty());
    }

    @Test
    void podsOfDaemonSetsAndOfTheNodeStay() {
        put(node("n1", "a", 4), node("n2", "b", 4));
        put(
                unowned("daemon", "n1")
                        .controller(new OwnerReference("apps/v1", "DaemonSet", "agent", "uid"))
                        .build(),
                unowned("mirror", "n1")
                        .controller(new OwnerReference("v1", "Node", "n1", "uid"))
                        .build());

        assertThat(lines(plan(1))).containsExactly("n1: ", "n2 (after n1): ");
    }

    @Test
    void aCordonedNodeGoesOnCountingForSpread() {
        put(node("n1", "a", 4), node("n2", "b", 4), node("n3", "c", 4));
        for (int i = 1; i <= 3; i++) {
            put(pod("p" + i, "n" + i).spread(spread(1, Node.HOSTNAME)).build());
        }

        assertThat(why(plan(1)))
                .isEqualTo(
                        "n1 cannot be drained: pod default/p1 finds no other node: 0/3 nodes are available: 1 node(s) were"
                                + " unschedulable, 2 node(s) didn't match pod topology spread constraints; every other order was tried,"
                                + " and every other choice of nodes");
    }

    @Test
    void whereTaintsAreHonouredACordonedNodeDoesNotCount() {
        put(node("n1", "a", 4), node("n2", "b", 4));
        for (int i = 1; i <= 2; i++) {
            put(pod("p" + i, "n" + i)
                    .spread(spread(1, Node.HOSTNAME).withTaintsPolicy(NodeInclusionPolicy.HONOR))
                    .build());
        }

        assertThat(lines(plan(1))).containsExactly("n1: p1→n2", "n2 (after n1): p1→n1 p2→n1");
    }

    @Test
    void aNodeMoreMakesRoomMeanwhileAndIsEmptiedAtLast() {
        put(node("n1", "a", 1), pod("x", "n1").build());

        assertThat(why(plan(1))).startsWith("n1 cannot be drained: pod default/x finds no other node");
        assertThat(lines(plan(1, node("more", "a", 1)))).containsExactly("n1: x→more", "more (after n1): x→n1");
    }

    @Test
    void anotherOrderIsFoundWhereTheFirstDoesNotGo() {
        // n1's pod fits on n2 only once n2 was emptied
        put(node("n1", "a", 3), node("n2", "a", 3), node("n3", "a", 2));
        put(pod("big", "n1").container("cpu", "1").container("cpu", "1").build());
        put(pod("x", "n2").build(), pod("y", "n2").build());

        assertThat(lines(plan(1)).getFirst()).startsWith("n2: ");
    }

    @Test
    void aPlaceIsHeldWhereTheSchedulersOwnChoiceIsInTheWay() {
        // the scheduler puts small on the emptier n3, where big has to go
        put(node("n1", "a", 6), node("n2", "b", 4), node("n3", "c", 5));
        put(pod("fill", "n2").container("cpu", "1").container("cpu", "1").build());
        put(
                pod("a-small", "n1").build(),
                pod("big", "n1").container("cpu", "2").container("cpu", "2").build());

        DrainPlan plan = DrainPlanner.plan(cluster, new DrainPlanner.Request(List.of("n1"), 1, List.of(), false));

        Step step = ((Planned) plan).steps().getFirst();
        assertThat(lines(plan)).containsExactly("n1: a-small→n2 big→n3");
        assertThat(step.held()).containsExactly("default/a-small");
    }

    @Test
    void aNodeIsTriedAgainOnceAnotherWasDrainedThatWasEmpty() {
        // x can go to n2 alone, and from there nowhere, so n2 comes first, though that moves no pod
        put(node("n1", "b", 2), node("n2", "c", 2), node("n3", "a", 2));
        put(pod("x", "n1").nodeSelector("topology.kubernetes.io/zone", "c").build());

        assertThat(lines(plan(1))).containsExactly("n2: ", "n1 (after n2): x→n2", "n3 (after n1): ");
    }

    @Test
    void aPodThatToleratesCordonsLeavesTheNodeAllTheSame() {
        put(node("n1", "a", 8), node("n2", "b", 2), node("n3", "c", 1));
        put(
                pod("x", "n1").toleration(EVERYTHING).build(),
                pod("y", "n3").toleration(EVERYTHING).build());

        DrainPlan plan = plan(1);

        assertThat(lines(plan)).containsExactly("n1: x→n2", "n2 (after n1): x→n1", "n3 (after n2): y→n1");
        assertThat(((Planned) plan).steps().getFirst().held()).containsExactly("default/x");
    }

    @Test
    void aSearchAmongManyNodesEnds() {
        for (int i = 0; i < 2_000; i++) {
            put(node("n" + i, "a", 1));
        }
        put(node("large", "a", 4), pod("big", "large").container("cpu", "2").build());

        assertThat(plan(1))
                .isInstanceOfSatisfying(
                        NotFound.class,
                        none -> assertThat(none.why())
                                .contains(
                                        "there may be one: large cannot be drained: pod default/big finds no other node"));
        try (Consolidation consolidation = new Consolidation(cluster)) {
            Consolidation.Together together = consolidation.together(
                    cluster.nodes().stream().map(Node::name).toList());
            assertThat(together.go()).hasSize(2_000);
            assertThat(together.areMost()).isFalse();
        }
    }
}
