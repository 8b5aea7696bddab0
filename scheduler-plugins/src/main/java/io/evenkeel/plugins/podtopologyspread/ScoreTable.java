package io.evenkeel.plugins.podtopologyspread;

import java.util.Arrays;

/**
 * Normalises raw scores of one pod. Thousands of nodes share a handful of raw scores, and a division costs more than all
 * else that is done for a node, so the quotient of each is worked out once, as long as they lie close together.
 */
final class ScoreTable {
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
