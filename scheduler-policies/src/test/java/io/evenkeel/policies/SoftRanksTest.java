package io.evenkeel.policies;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.framework.cycle.NodeScores;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SoftRanksTest {
    private static final int NODES = 300;
    private static final int[] EACH_ITS_OWN = IntStream.range(0, NODES).toArray();

    private final SoftRanks ranks = new SoftRanks();
    private final NodeScores scores = new NodeScores();
    private final NodeSet nodes = new NodeSet();

    SoftRanksTest() {
        IntStream.range(0, NODES).forEach(nodes::add);
        ranks.begin(nodes, NODES);
    }

    @Test
    void theFirstRuleThatTellsNodesApartDecides() {
        int[] byThirds = IntStream.range(0, NODES).map(node -> node % 3).toArray();
        ranks.refine(byThirds, new int[] {7, 5, 6}, 5);
        ranks.refine(
                EACH_ITS_OWN,
                IntStream.range(0, NODES).map(node -> node < 3 ? 9 : 0).toArray(),
                0);
        ranks.score(scores);

        assertThat(IntStream.range(0, 6).map(scores::of)).containsExactly(95, 99, 97, 96, 100, 98);
    }

    @Test
    void nodesWithoutTheLabelComeLast() {
        int[] domains = EACH_ITS_OWN.clone();
        domains[1] = Topology.NO_DOMAIN;
        int[] pods = new int[NODES];
        pods[0] = Integer.MAX_VALUE - 1;
        ranks.refine(domains, pods, 0);
        ranks.score(scores);

        assertThat(IntStream.range(0, 3).map(scores::of)).containsExactly(99, 98, 100);
    }

    /** A score has a hundred steps: the best are ahead of all others, however many kinds of nodes there are. */
    @Test
    void theBestAreTheBestAmongHundredsOfKinds() {
        ranks.refine(
                EACH_ITS_OWN,
                IntStream.range(0, NODES).map(node -> NODES - node).toArray(),
                0);
        ranks.score(scores);

        assertThat(scores.of(NODES - 1)).isEqualTo(100);
        assertThat(scores.of(NODES - 2)).isEqualTo(99);
        assertThat(scores.of(NODES - 100)).isEqualTo(1);
        assertThat(IntStream.range(0, NODES - 100).map(scores::of)).containsOnly(0);
    }

    @Test
    void nodesThatNoRuleTellsApartScoreAlikeWithoutAColumn() {
        ranks.refine(EACH_ITS_OWN, new int[NODES], 0);
        ranks.score(scores);

        assertThat(scores.form()).isEqualTo(NodeScores.Form.UNIFORM);
        assertThat(scores.of(0)).isEqualTo(100);
    }
}
