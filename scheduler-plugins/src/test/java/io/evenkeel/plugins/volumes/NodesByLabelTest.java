package io.evenkeel.plugins.volumes;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.model.Node;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.rotation.Rotation;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is found by label is what is found by looking at each node. */
class NodesByLabelTest {
    private static final int ROUNDS = 2_000;
    private static final int NODES = 70;

    private final ClusterState cluster = new ClusterState();
    private final NodesByLabel labels = NodesByLabel.of(cluster.view());
    private final NodeSet found = new NodeSet();

    static LongStream seeds() {
        return Rotation.seeds(4);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aSelectorSelectsTheNodesThatItMatchesByTheirLabels(long seed) {
        RandomStorage storage = new RandomStorage(seed, NODES);
        IntStream.range(0, NODES).forEach(node -> cluster.put(storage.node("n" + node)));
        int matches = 0;
        for (int round = 0; round < ROUNDS; round++) {
            if (storage.random().nextInt(4) == 0) {
                cluster.removeNode(storage.nodeName());
            } else {
                cluster.put(storage.node());
            }
            NodeSelector selector = storage.selector();
            labels.select(selector, found);
            NodeSet one = naively(selector);
            assertThat((Object) found)
                    .as("seed %dL, round %d: %s", seed, round, selector)
                    .isEqualTo(one);
            matches += one.size();
        }
        assertThat(matches).isBetween(ROUNDS * NODES / 20, ROUNDS * NODES / 2);
    }

    private NodeSet naively(NodeSelector selector) {
        NodeSet matching = new NodeSet();
        ClusterView view = cluster.view();
        Verdicts.ids(view.nodes().present()).stream()
                .filter(node -> selector.matchesLabels(view.nodes().node(node).labels()))
                .forEach(matching::add);
        return matching;
    }

    @Test
    void theVersionIsAnotherAfterEachChangeOfLabelsAndOnlyThen() {
        Node node = NodeBuilder.node("n").label("zone", "a").build();
        cluster.put(node);
        long before = labels.version();

        cluster.put(NodeBuilder.from(node).unschedulable(true).build());
        assertThat(labels.version()).isEqualTo(before);
        cluster.put(NodeBuilder.from(node).label("zone", "b").build());
        assertThat(labels.version()).isNotEqualTo(before);
        long after = labels.version();
        cluster.removeNode("n");
        assertThat(labels.version()).isNotEqualTo(after);
    }

    /** Few nodes are kept as a list and many as a set; either way each can go again. */
    @Test
    void aLabelOfManyNodesIsForgottenNodeByNode() {
        IntStream.range(0, 40)
                .forEach(node -> cluster.put(
                        NodeBuilder.node("n" + node).label("zone", "a").build()));
        for (int gone = 0; gone < 40; gone++) {
            found.clear();
            labels.addHaving("zone", "a", found);
            assertThat(found.size()).isEqualTo(40 - gone);
            assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
            cluster.removeNode("n" + (gone * 7 % 40));
        }
        found.clear();
        labels.addHaving("zone", found);
        labels.addHaving("zone", "a", found);
        assertThat(found.isEmpty()).isTrue();
    }
}
