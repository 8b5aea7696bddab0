package io.evenkeel.plugins.podtopologyspread;

import io.evenkeel.api.ScorePlugin;
import java.util.Arrays;

/**
 * The arithmetic of soft constraints, in the reference's order of operations, because rounding shows.
 *
 * <p>{@code raw(node) = round(Σ over constraints of count · ln(size + 2) + (maxSkew − 1))}, then
 * {@code 100 · (max + min − raw) / max} in whole numbers, 100 for all where max is 0.
 */
final class SpreadFormula {
    private double[] weights = {};

    /** The weight of a constraint with this many domains (or nodes, for host names) to spread over. */
    double weight(int size) {
        if (size >= weights.length) {
            int before = weights.length;
            weights = Arrays.copyOf(weights, (size + 1) * 2);
            for (int i = before; i < weights.length; i++) {
                weights[i] = StrictMath.log(i + 2);
            }
        }
        return weights[size];
    }

    /** Returns how much one constraint adds. */
    static double term(int count, double weight, int maxSkew) {
        return count * weight + (maxSkew - 1);
    }

    /** Half goes away from zero; the argument is never negative. */
    static long round(double sum) {
        long whole = (long) sum;
        return sum - whole >= 0.5 ? whole + 1 : whole;
    }

    static int normalize(long raw, long min, long max) {
        return max == 0 ? ScorePlugin.MAX_SCORE : (int) (ScorePlugin.MAX_SCORE * (max + min - raw) / max);
    }

    /**
     * Normalises raw scores of one pod. Thousands of nodes share a handful of raw scores, and a division costs more than all
     * else that is done for a node, so the quotient of each is worked out once, as long as they lie close together.
     */
    static final class ScoreTable {
        private static final int WIDEST = 1 << 12;

        private final int[] scores = new int[WIDEST];
        private long min;
        private long max;
        private boolean remembers;

        /** To be called with the extremes before scores are asked for. */
        void reset(long lowest, long highest) {
            min = lowest;
            max = highest;
            remembers = highest - lowest < WIDEST;
            if (remembers && lowest <= highest) {
                Arrays.fill(scores, 0, (int) (highest - lowest) + 1, -1);
            }
        }

        int scoreOf(long raw) {
            if (!remembers) {
                return SpreadFormula.normalize(raw, min, max);
            }
            int index = (int) (raw - min);
            int score = scores[index];
            if (score < 0) {
                score = SpreadFormula.normalize(raw, min, max);
                scores[index] = score;
            }
            return score;
        }
    }
}
