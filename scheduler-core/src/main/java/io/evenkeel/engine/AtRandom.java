package io.evenkeel.engine;

import io.evenkeel.cluster.NodeSet;
import io.evenkeel.cluster.NodeTable;
import java.util.random.RandomGenerator;

/**
 * Among the best nodes, any with equal chance: one pass that keeps the k-th of the best with probability 1/k. Placing
 * pods that all score alike always on the first would pile load on it.
 */
public final class AtRandom implements NodeChoice {
    private final RandomGenerator random;

    public AtRandom(RandomGenerator random) {
        this.random = random;
    }

    @Override
    public int choose(NodeSet feasible, long[] totals, NodeTable nodes) {
        int best = feasible.first();
        long highest = totals[best];
        int ties = 1;
        for (int word = best >>> 6; word < feasible.wordCount(); word++) {
            long bits = feasible.word(word);
            while (bits != 0) {
                int node = (word << 6) + Long.numberOfTrailingZeros(bits);
                bits &= bits - 1;
                if (totals[node] < highest || node == best) {
                    continue;
                }
                if (totals[node] > highest) {
                    highest = totals[node];
                    best = node;
                    ties = 1;
                } else if (random.nextInt(++ties) == 0) {
                    best = node;
                }
            }
        }
        return best;
    }
}
