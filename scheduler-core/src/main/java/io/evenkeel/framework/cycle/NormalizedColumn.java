package io.evenkeel.framework.cycle;

import io.evenkeel.api.ScorePlugin;
import io.evenkeel.cluster.node.DerivedColumn;
import io.evenkeel.cluster.node.NodeRanking.KeptScores;
import io.evenkeel.cluster.node.NodeSet;
import java.util.Arrays;

/**
 * A column of raw scores together with its normalised form, by the reference's default normaliser: with M the greatest
 * raw score among the feasible nodes, raw score s becomes 100·s / M, or 100 − 100·s / M where less is better; where M is
 * 0, all become 0 or 100. Divisions truncate.
 *
 * <p>The normalised column stays as long as neither a raw score nor M changes, so for a run of like pods on a quiet
 * cluster all there is to do is to find M, and that ends at the first feasible node with the greatest score of all.
 */
public final class NormalizedColumn implements KeptScores {
    private static final int NEVER = -1;

    private final DerivedColumn raw;
    private final boolean lessIsBetter;
    private int[] normalized = {};
    private long version = NEVER;
    private int maximum = NEVER;
    private int greatest;
    private long reworked;

    public NormalizedColumn(DerivedColumn raw, boolean lessIsBetter) {
        this.raw = raw;
        this.lessIsBetter = lessIsBetter;
    }

    public DerivedColumn raw() {
        return raw;
    }

    public void scoreAll(NodeSet feasible, NodeScores scores) {
        int feasibleMaximum = raw.isAllZero() ? 0 : maximumOver(feasible);
        if (feasibleMaximum == 0) {
            scores.uniform(lessIsBetter ? ScorePlugin.MAX_SCORE : 0);
            return;
        }
        if (maximum != feasibleMaximum) {
            maximum = feasibleMaximum;
            normalize(raw.current());
        }
        scores.kept(this);
    }

    /** Scores stay as of the last pod that was scored; there are only more of them. */
    @Override
    public NormalizedColumn upToDate() {
        int length = raw.current().length;
        if (normalized.length < length) {
            reworked++;
            normalized = Arrays.copyOf(normalized, length);
            version = NEVER;
        }
        return this;
    }

    @Override
    public int of(int node) {
        return normalized[node];
    }

    @Override
    public int[] column() {
        return normalized;
    }

    @Override
    public long reworked() {
        return reworked;
    }

    @Override
    public boolean isDropped() {
        return raw.isDropped();
    }

    private int maximumOver(NodeSet feasible) {
        int[] column = raw.current();
        forgetIfChanged(column);
        int found = 0;
        for (int word = 0; word < feasible.wordCount(); word++) {
            for (long bits = feasible.word(word); bits != 0; bits &= bits - 1) {
                int score = column[(word << 6) + Long.numberOfTrailingZeros(bits)];
                if (score > found) {
                    found = score;
                    if (found == greatest) {
                        return found;
                    }
                }
            }
        }
        return found;
    }

    /** A longer column than before counts as a change too: there are nodes that have no normalised score yet. */
    private void forgetIfChanged(int[] column) {
        if (version == raw.version() && normalized.length == column.length) {
            return;
        }
        version = raw.version();
        maximum = NEVER;
        greatest = 0;
        for (int score : column) {
            greatest = Math.max(greatest, score);
        }
    }

    private void normalize(int[] column) {
        reworked++;
        if (normalized.length != column.length) {
            normalized = new int[column.length];
        }
        for (int node = 0; node < column.length; node++) {
            int score = ScorePlugin.MAX_SCORE * column[node] / maximum;
            normalized[node] = lessIsBetter ? ScorePlugin.MAX_SCORE - score : score;
        }
    }
}
