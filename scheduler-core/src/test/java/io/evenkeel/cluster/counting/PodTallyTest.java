package io.evenkeel.cluster.counting;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.node.CountLevels;
import io.evenkeel.cluster.node.NodeSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PodTallyTest {
    private static final int NODES = 200;

    private final PodTally tally = PodTally.ofPods();
    private final int[] counts = new int[NODES];

    /** Fills the nodes, empties them and fills them anew, so that levels come and go. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void nodesStandAtTheLevelOfTheirCount(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        boolean had = false;
        for (int step = 0; step < 6_000; step++) {
            int node = random.nextInt(NODES);
            boolean fills = step / 1_500 % 2 == 0;
            int delta = fills ? random.nextInt(3) : -Math.min(counts[node], random.nextInt(4));
            tally.add(node, delta);
            counts[node] += delta;
            had |= tally.hasLevels();
            assertThat(tally.differenceOfLevels()).isEmpty();
            if (tally.hasLevels() && step % 50 == 0) {
                compareWithCounts();
            }
        }
        assertThat(had).isTrue();
    }

    private void compareWithCounts() {
        CountLevels levels = tally.levels();
        NodeSet occupied = new NodeSet();
        for (int node = 0; node < NODES; node++) {
            occupied.set(node, counts[node] > 0);
            if (counts[node] > 0) {
                assertThat(levels.at(counts[node]).contains(node)).isTrue();
            }
        }
        assertThat(levels.occupied()).isEqualTo(occupied);
    }

    @Test
    void numbersBeyondShareALevel() {
        for (int node = 0; node < NODES; node++) {
            tally.add(node, 1);
        }
        assertThat(tally.levels().goBeyond()).isFalse();

        tally.add(7, CountLevels.BEYOND + 10);
        tally.add(8, CountLevels.BEYOND - 1);

        assertThat(tally.levels().goBeyond()).isTrue();
        assertThat(tally.levels().at(CountLevels.BEYOND)).hasToString("{7, 8}");

        tally.add(7, -11);
        tally.add(8, -1);

        assertThat(tally.levels().at(CountLevels.BEYOND)).hasToString("{7}");
        assertThat(tally.levels().at(CountLevels.BEYOND - 1)).hasToString("{8}");
    }

    @Test
    void ofFewNodesNoneAreKept() {
        tally.add(1, 5);

        assertThat(tally.hasLevels()).isFalse();
    }

    @Test
    void sumsOfWeightsHaveNone() {
        PodTally weights = PodTally.ofWeights();
        for (int node = 0; node < NODES; node++) {
            weights.add(node, -1);
        }

        assertThat(weights.hasLevels()).isFalse();
    }
}
