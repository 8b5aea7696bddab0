package io.evenkeel.framework.cycle;

import static io.evenkeel.model.build.NodeBuilder.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.model.build.PodBuilder;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class NormalizedColumnTest {
    private final ClusterState cluster = new ClusterState();
    private final NodeScores scores = new NodeScores();

    /** The raw score of a node is the number of its images. */
    private NormalizedColumn column(boolean lessIsBetter) {
        return new NormalizedColumn(
                cluster.view()
                        .derivations()
                        .columnOverNodes(node ->
                                cluster.view().nodes().node(node).images().size()),
                lessIsBetter);
    }

    @Test
    void theGreatestFeasibleScoreBecomesAHundred() {
        nodes(0, 1, 2, 3, 7);
        NormalizedColumn column = column(false);

        assertThat(scored(column, 0, 1, 2, 3)).containsExactly(0, 33, 66, 100);
        assertThat(scored(column, 0, 1, 2)).containsExactly(0, 50, 100);
        assertThat(scored(column, 0, 1, 2, 3)).containsExactly(0, 33, 66, 100);
    }

    @Test
    void whereLessIsBetterItBecomesZero() {
        nodes(0, 1, 2, 3);

        assertThat(scored(column(true), 0, 1, 2, 3)).containsExactly(100, 67, 34, 0);
    }

    @Test
    void whereNoFeasibleNodeHasAnyAllAreEqual() {
        nodes(0, 0, 5);

        assertThat(scored(column(false), 0, 1)).containsExactly(0, 0);
        assertThat(scored(column(true), 0, 1)).containsExactly(100, 100);
        assertThat(scores.form()).isEqualTo(NodeScores.Form.UNIFORM);
    }

    @Test
    void aChangedNodeIsSeen() {
        nodes(1, 2);
        NormalizedColumn column = column(false);
        assertThat(scored(column, 0, 1)).containsExactly(50, 100);

        nodes(4);

        assertThat(scored(column, 0, 1)).containsExactly(100, 50);
    }

    @Test
    void rowsThatOnlyPodsNameHaveRoomInTheSums() {
        nodes(1, 2);
        NormalizedColumn column = column(false);
        scored(column, 0, 1);
        for (int i = 0; i < 200; i++) {
            cluster.put(PodBuilder.pod("p" + i).nodeName("unknown" + i).build());
        }

        assertThat(scored(column, 0, 1)).containsExactly(50, 100);
        long[] totals = new long[cluster.view().nodes().end()];
        scores.addTo(totals, 2, totals.length);
        assertThat(totals).startsWith(100, 200);
    }

    private void nodes(int... imageCounts) {
        for (int i = 0; i < imageCounts.length; i++) {
            var node = node("n" + i);
            for (int image = 0; image < imageCounts[i]; image++) {
                node.image(1, "i" + image);
            }
            cluster.put(node.build());
        }
    }

    private List<Integer> scored(NormalizedColumn column, int... feasible) {
        NodeSet nodes = new NodeSet();
        Arrays.stream(feasible).forEach(nodes::add);
        column.scoreAll(nodes, scores);
        return Arrays.stream(feasible).mapToObj(scores::of).toList();
    }
}
