package io.evenkeel.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.cluster.shape.Facet;
import io.evenkeel.cluster.shape.PodRequests;
import io.evenkeel.cluster.shape.PodShape;
import io.evenkeel.cluster.shape.PodShapes;
import io.evenkeel.cluster.shape.ResourceNames;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is broken in the tables of nodes and pods, the audits have a line for it. */
class NodeAuditTest {
    private static final Node N1 =
            NodeBuilder.node("n1").allocatable("cpu", "4", "pods", "10").build();
    private static final Node N2 = NodeBuilder.node("n2").build();

    private final ResourceNames names = new ResourceNames();
    private final PodShapes.Writer shapes = PodShapes.create(names, FeatureGates.DEFAULTS, 256);
    private final NodeTable.Writer nodes = NodeTable.create(names);
    private final PodTable.Writer pods = PodTable.create();
    private final int n1 = nodes.row("n1");
    private final int n2 = nodes.row("n2");
    private final Pod pod =
            PodBuilder.pod("p").container("cpu", "1").nodeName("n1").build();
    private final Facet<PodShape> shape = shapes.acquire(pod);
    private final AuditFacts facts;

    NodeAuditTest() {
        nodes.becomePresent(n1, N1);
        nodes.becomePresent(n2, N2);
        pods.add(pod, shape, n1, false, PodTable.NONE);
        nodes.addPod(n1, shape.value().resources().value());
        facts = new AuditFacts(Map.of(n1, N1, n2, N2), List.of(new AuditFacts.PlacedPod(pod, n1)), nodes.table()::name);
    }

    private List<String> audit() {
        Differences differences = new Differences();
        TableAudit.run(nodes.table(), pods.table(), names, PodRequests.OF_CONTAINERS, facts, differences);
        return differences.lines();
    }

    @Test
    void whereAllIsWellTheySayNothing() {
        assertThat(audit()).isEmpty();
    }

    /** What is broken, and the lines that tell so, among others perhaps. */
    private record Mistake(Consumer<NodeAuditTest> make, List<String> told) {
        static Mistake of(Consumer<NodeAuditTest> make, String... told) {
            return new Mistake(make, List.of(told));
        }

        @Override
        public String toString() {
            return told.getFirst();
        }
    }

    @ParameterizedTest
    @MethodSource({"inNodes", "inPods"})
    void aMistakeIsTold(Mistake mistake) {
        mistake.make.accept(this);

        assertThat(audit()).containsAll(mistake.told);
    }

    static Stream<Mistake> inNodes() {
        return Stream.of(
                Mistake.of(
                        test -> test.nodes.table().freeRows().add(test.n1),
                        "name of free node row 0: kept n1, recounted ",
                        "free node row 0 is present",
                        "free node row 0 has pods linked to it",
                        "node rows, named and free: kept 3, recounted 2"),
                Mistake.of(
                        test -> test.nodes.table().freeRows().addAll(List.of(7, 7)),
                        "free node rows that differ: kept 2, recounted 1"),
                Mistake.of(NodeAuditTest::skipARow, "row of node : kept -1, recounted 2"),
                Mistake.of(test -> test.nodes.row("ghost"), "node ghost is absent and has no pods, but keeps row 2"),
                Mistake.of(
                        test -> test.nodes.becomePresent(
                                test.n1, NodeBuilder.node("other").build()),
                        "name of node row 0: kept n1, recounted other",
                        "allocatable cpu of node n1: kept 0, recounted 4000",
                        "allowed pods of node n1: kept 0, recounted 10"),
                Mistake.of(
                        test -> ((NodeSet) test.nodes.table().present()).add(7),
                        "size of the set of present nodes: kept 3, recounted 2"),
                Mistake.of(
                        test -> ((NodeSet) test.nodes.table().present()).remove(test.n2),
                        "nodes that are present: kept 2, recounted 1"),
                Mistake.of(
                        test -> test.nodes.addPod(
                                test.n1, test.shape.value().resources().value()),
                        "requested cpu of node n1: kept 2000, recounted 1000",
                        "non-zero cpu of node n1: kept 2000, recounted 1000",
                        "non-zero memory of node n1: kept 419430400, recounted 209715200",
                        "number of pods of node n1: kept 2, recounted 1"));
    }

    static Stream<Mistake> inPods() {
        return Stream.of(
                Mistake.of(
                        test -> test.pods.table().freeRows().add(0),
                        "whether pod row 0 is free: kept false, recounted true",
                        "pod rows, used and free: kept 2, recounted 1"),
                Mistake.of(
                        test -> test.pods.table().freeRows().addAll(List.of(7, 7)),
                        "free pod rows that differ: kept 2, recounted 1"),
                Mistake.of(
                        test -> test.pods.replace(
                                0, PodBuilder.from(test.pod).name("q").build(), false),
                        "row of pod default/q: kept -1, recounted 0"),
                Mistake.of(
                        test -> test.pods.replace(
                                0, PodBuilder.from(test.pod).nodeName("n2").build(), false),
                        "node of pod default/p: kept n1, recounted n2"),
                Mistake.of(
                        test -> test.pods.replace(
                                0, PodBuilder.from(test.pod).phase("Failed").build(), false),
                        "pod default/p has finished, but is kept"),
                Mistake.of(
                        test -> test.pods.add(test.pod, test.shape, test.n1, false, PodTable.NONE),
                        "pods that are linked to a node: kept 2, recounted 1"),
                Mistake.of(
                        test -> test.pods.add(
                                PodBuilder.from(test.pod).name("q").build(), test.shape, test.n2, false, 0),
                        "node whose list has pod default/q: kept n1, recounted n2"),
                Mistake.of(
                        test -> test.pods.add(
                                PodBuilder.from(test.pod).name("q").build(), test.shape, test.n1, false, 1),
                        "row before pod default/p on its node: kept 1, recounted -1"),
                Mistake.of(NodeAuditTest::linkARowTwice, "the list of node n2 runs into pod row 0 wrongly"),
                Mistake.of(
                        test -> {
                            test.linkARowTwice();
                            test.pods.remove(0);
                        },
                        "the list of node n1 runs into pod row 0 wrongly"));
    }

    private void skipARow() {
        nodes.table().freeRows().add(3);
        nodes.row("n4");
    }

    private void linkARowTwice() {
        pods.table().freeRows().add(0);
        pods.add(PodBuilder.from(pod).name("q").build(), shape, n2, false, PodTable.NONE);
    }
}
