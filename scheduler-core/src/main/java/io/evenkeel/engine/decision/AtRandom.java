package io.evenkeel.engine.decision;

import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeTable;
import java.util.random.RandomGenerator;

/**
 * Among the best nodes, any with equal chance: placing pods that all score alike always on the first would pile load on
 * it. One pass finds the highest total and how many nodes have it, a second the one that was drawn, so that a pod costs
 * one random number even where all nodes are equal.
 */
public final class AtRandom implements NodeChoice {
    private final RandomGenerator random;

    public AtRandom(RandomGenerator random) {
        this.random = random;
    }

    @Override
    public int choose(NodeSet feasible, long[] totals, NodeTable nodes) {
        long highest = Long.MIN_VALUE;
        int ties = 0;
        for (int word = 0; word < feasible.wordCount(); word++) {
            long bits = feasible.word(word);
            while (bits != 0) {
                long total = totals[(word << 6) + Long.numberOfTrailingZeros(bits)];
                bits &= bits - 1;
                if (total > highest) {
                    highest = total;
                    ties = 1;
                } else if (total == highest) {
                    ties++;
                }
            }
        }
        return nth(ties == 1 ? 0 : random.nextInt(ties), highest, feasible, totals);
    }

    private static int nth(int index, long total, NodeSet feasible, long[] totals) {
        int before = index;
        for (int word = 0; word < feasible.wordCount(); word++) {
            long bits = feasible.word(word);
            while (bits != 0) {
                int node = (word << 6) + Long.numberOfTrailingZeros(bits);
                bits &= bits - 1;
                if (totals[node] == total && before-- == 0) {
                    return node;
                }
            }
        }
        throw new IllegalArgumentException("there is no feasible node");
    }
}
