package io.evenkeel.plugins.interpodaffinity;

import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.framework.ScorePlugin;

/**
 * Brings weights into 0 to 100, linearly between the lowest and the highest that a feasible node has: 100 · ((w − min) /
 * (max − min)) in double arithmetic, in this order of operations, cut off to a whole number, as the reference does it.
 *
 * <p>A division for each node would be most of the cost of scoring. As weights are whole numbers and mostly lie close
 * together, a table by w − min has all answers; it is made where it is shorter than the column to be scored.
 */
final class MinMaxScale {
    private static final int LONGEST_TABLE = 1024;

    private final int[] scoreByOffset = new int[LONGEST_TABLE];
    private long min;
    private long max;

    void begin() {
        min = Long.MAX_VALUE;
        max = Long.MIN_VALUE;
    }

    /** Takes a feasible node's weight into account. */
    void include(long weight) {
        min = Math.min(min, weight);
        max = Math.max(max, weight);
    }

    /** Takes the weights of the feasible nodes into account, and no others. */
    void measure(long[] weights, NodeSet feasible) {
        long lowest = Long.MAX_VALUE;
        long highest = Long.MIN_VALUE;
        for (int word = 0; word < feasible.wordCount(); word++) {
            for (long rest = feasible.word(word); rest != 0; rest &= rest - 1) {
                long weight = weights[(word << 6) + Long.numberOfTrailingZeros(rest)];
                lowest = Math.min(lowest, weight);
                highest = Math.max(highest, weight);
            }
        }
        min = lowest;
        max = highest;
    }

    /** Whether all feasible nodes have the same weight, or there are none: each scores 0. */
    boolean isFlat() {
        return max <= min;
    }

    int scoreOf(long weight) {
        return isFlat() ? 0 : (int) (ScorePlugin.MAX_SCORE * ((double) (weight - min) / (double) (max - min)));
    }

    /** Scores the weights below {@code end}; a score that was not measured means nothing. */
    void apply(long[] weights, int end, int[] scores) {
        long range = max - min;
        if (range < Math.min(end, LONGEST_TABLE)) {
            applyTable(weights, end, scores, (int) range);
            return;
        }
        for (int i = 0; i < end; i++) {
            scores[i] = scoreOf(weights[i]);
        }
    }

    private void applyTable(long[] weights, int end, int[] scores, int range) {
        for (int offset = 0; offset <= range; offset++) {
            scoreByOffset[offset] = scoreOf(min + offset);
        }
        for (int i = 0; i < end; i++) {
            scores[i] = scoreByOffset[Math.clamp(weights[i] - min, 0, range)];
        }
    }
}
