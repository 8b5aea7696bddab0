package io.evenkeel.framework.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PreFilterResult;
import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.LiveNode;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.framework.BatchFilterPlugin;
import io.evenkeel.framework.cycle.Diagnosis;
import io.evenkeel.framework.cycle.Diagnosis.Rejection;
import io.evenkeel.framework.cycle.Rejections;
import io.evenkeel.model.build.NodeBuilder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FilterRunnerTest {
    private final ClusterView cluster = Fakes.nodes("n1", "n2", "n3");
    private final PodInfo pod = Fakes.pod();

    @Test
    void theFirstPluginThatObjectsToANodeIsTheOneThatIsNamed() {
        FilterRunner runner = runner(
                Fakes.gate("A", node -> node.equals("n1") ? Status.unresolvable("a") : Status.SUCCESS),
                Fakes.gate("B", node -> node.equals("n3") ? Status.SUCCESS : Status.unschedulable("b")));

        assertThat(Fakes.names(cluster, runner.run(new CycleState(), pod))).containsExactly("n3");
        assertThat(runner.diagnosis().countsByReason()).containsOnly(entry("a", 1), entry("b", 1));
    }

    @Test
    void nodesTurnedAwayForTheSameReasonsAreOneRejection() {
        FilterRunner runner = runner(Fakes.gate("A", node -> Status.unschedulable(node.equals("n2") ? "x" : "y")));

        runner.run(new CycleState(), pod);
        assertThat(runner.diagnosis().rejections())
                .containsExactly(rejection("A", "y", "n1", "n3"), rejection("A", "x", "n2"));
    }

    @Test
    void aDiagnosisStaysAsItIsWhateverBecomesOfTheClusterAndOfTheNextPod() {
        List<String> full = new ArrayList<>(List.of("n1"));
        ClusterState state = new ClusterState();
        List.of("n1", "n2", "n3")
                .forEach(name -> state.putNode(NodeBuilder.node(name).build()));
        FilterRunner runner = runner(
                state.view(),
                Fakes.before("Narrow", new PreFilterResult.OnlyNodes(Set.of("n1", "n2"))),
                Fakes.gate("A", node -> Status.unschedulable(full.contains(node) ? "full" : "small")));
        runner.run(new CycleState(), pod);
        Diagnosis diagnosis = runner.diagnosis();
        String said = "0/3 nodes are available: 1 full, 1 node(s) didn't satisfy plugin(s) [Narrow], 1 small.";
        assertThat(diagnosis.message()).isEqualTo(said);

        full.clear();
        state.removeNode("n2");
        runner.run(new CycleState(), pod);

        assertThat(runner.diagnosis().message()).isNotEqualTo(said);
        assertThat(diagnosis.message()).isEqualTo(said);
        assertThat(diagnosis.reasonAgainst(0)).isEqualTo("full");
    }

    @Test
    void podsThatTheSameNodesTurnAwayShareOneSet() {
        Set<String> full = new HashSet<>(Set.of("n1", "n2"));
        FilterRunner runner =
                runner(Fakes.gate("A", node -> full.contains(node) ? Status.unschedulable("full") : Status.SUCCESS));

        NodeSetView first = rejectedNext(runner);
        assertThat(rejectedNext(runner)).isSameAs(first);

        full.add("n3");
        assertThat(rejectedNext(runner).size()).isEqualTo(3);
        assertThat(first.size()).isEqualTo(2);
    }

    private NodeSetView rejectedNext(FilterRunner runner) {
        runner.run(new CycleState(), pod);
        return runner.diagnosis().rejections().getFirst().nodes();
    }

    @Test
    void aPluginThatSkipsDoesNotFilter() {
        FilterRunner runner =
                runner(new Fakes.Gate("A", PreFilterResult.SKIP, node -> Status.unschedulable("never asked")));

        assertThat(Fakes.names(cluster, runner.run(new CycleState(), pod))).containsExactly("n1", "n2", "n3");
    }

    @Test
    void pluginsNarrowTheChoiceTogether() {
        FilterRunner runner = runner(
                Fakes.before("A", new PreFilterResult.OnlyNodes(Set.of("n1", "n2", "unknown"))),
                Fakes.before("B", new PreFilterResult.OnlyNodes(Set.of("n2", "n3", "unknown"))),
                Fakes.gate("C", node -> Status.unschedulable("no")));

        assertThat(Fakes.names(cluster, runner.run(new CycleState(), pod))).isEmpty();
        assertThat(runner.diagnosis().message())
                .isEqualTo("0/3 nodes are available: 1 no, 2 node(s) didn't satisfy plugin(s) [A B].");
    }

    @Test
    void nothingInCommonTurnsThePodAway() {
        FilterRunner both = runner(
                Fakes.before("A", new PreFilterResult.OnlyNodes(Set.of("n1"))),
                Fakes.before("B", new PreFilterResult.OnlyNodes(Set.of("n2"))));
        FilterRunner one = runner(Fakes.before("A", new PreFilterResult.OnlyNodes(Set.of())));

        assertThat(both.run(new CycleState(), pod).isEmpty()).isTrue();
        assertThat(both.diagnosis().message())
                .isEqualTo("0/3 nodes are available: node(s) didn't satisfy plugin(s) [A B] simultaneously.");
        assertThat(one.run(new CycleState(), pod).isEmpty()).isTrue();
        assertThat(one.diagnosis().message()).isEqualTo("0/3 nodes are available: node(s) didn't satisfy plugin A.");
    }

    @Test
    void anUnresolvableObjectionStopsAtOnceAnUnschedulableOneLetsTheOthersSpeak() {
        PreFilterResult unresolvable = new PreFilterResult.Rejected(Status.unresolvable("first"));
        PreFilterResult unschedulable = new PreFilterResult.Rejected(Status.unschedulable("first"));
        PreFilterResult later = new PreFilterResult.Rejected(Status.unresolvable("later"));
        FilterRunner stopping = runner(Fakes.before("A", unresolvable), Fakes.before("B", later));
        FilterRunner goingOn = runner(Fakes.before("A", unschedulable), Fakes.before("B", later));

        stopping.run(new CycleState(), pod);
        goingOn.run(new CycleState(), pod);
        assertThat(stopping.diagnosis().message()).isEqualTo("0/3 nodes are available: first.");
        assertThat(goingOn.diagnosis().message()).isEqualTo("0/3 nodes are available: later.");
    }

    @Test
    void countsAreSortedAsTextAndAnEmptyClusterSaysSo() {
        ClusterView many = Fakes.nodes("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l");
        FilterRunner runner = new FilterRunner(
                many,
                List.of(),
                List.of(Fakes.gate(
                        "A", node -> node.compareTo("c") < 0 ? Status.unschedulable("y") : Status.unschedulable("x"))));
        runner.run(new CycleState(), Fakes.pod());
        assertThat(runner.diagnosis().message()).isEqualTo("0/12 nodes are available: 10 x, 2 y.");

        ClusterView none = Fakes.nodes();
        FilterRunner empty = new FilterRunner(none, List.of(), List.of());
        empty.run(new CycleState(), Fakes.pod());
        assertThat(empty.diagnosis().message()).isEqualTo("no nodes available to schedule pods");
    }

    /** Takes a node out, and says why or not. */
    private record Eager(String name, int node, boolean says) implements BatchFilterPlugin {
        @Override
        public void filterAll(CycleState state, PodInfo pod, NodeSet candidates, Rejections rejections) {
            NodeSet mine = new NodeSet();
            mine.add(node);
            if (says) {
                rejections.reject(candidates, mine, Status.unschedulable("taken"));
            } else {
                candidates.removeAll(mine);
            }
        }

        @Override
        public Status filter(CycleState state, PendingPod pod, NodeInfo info) {
            return LiveNode.idOf(info) == node ? Status.unschedulable("taken") : Status.SUCCESS;
        }
    }

    @Test
    void nodesThatAPluginTakesOutWithoutSayingWhyAreRejectedInItsName() {
        FilterRunner runner = new FilterRunner(
                cluster,
                List.of(),
                List.of(
                        new Eager("A", 0, false),
                        new Eager("B", 1, true),
                        new Eager("C", 2, false),
                        new Eager("D", 0, true)));

        assertThat(runner.run(new CycleState(), pod).isEmpty()).isTrue();
        assertThat(runner.diagnosis().rejections())
                .containsExactly(
                        rejection("B", "taken", "n2"),
                        rejection("A", "node(s) were taken out by plugin A, which did not say why", "n1"),
                        rejection("C", "node(s) were taken out by plugin C, which did not say why", "n3"));
    }

    private Rejection rejection(String plugin, String reason, String... nodes) {
        NodeSet rejected = new NodeSet();
        for (String node : nodes) {
            rejected.add(cluster.nodes().find(node));
        }
        return new Rejection(plugin, Status.unschedulable(reason), rejected);
    }

    private FilterRunner runner(Fakes.Gate... gates) {
        return runner(cluster, gates);
    }

    private static FilterRunner runner(ClusterView cluster, Fakes.Gate... gates) {
        return new FilterRunner(cluster, List.of(gates), List.of(gates));
    }

    private static Map.Entry<String, Integer> entry(String reason, int count) {
        return Map.entry(reason, count);
    }
}
