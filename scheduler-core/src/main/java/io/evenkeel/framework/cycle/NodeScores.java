package io.evenkeel.framework.cycle;

import java.util.Arrays;

/**
 * One plugin's normalised scores of the feasible nodes, in the cheapest of three forms: one score for all, a column
 * that the plugin keeps anyway, or a column filled in for this pod. What stands at other nodes means nothing.
 */
public final class NodeScores {
    private int[] own = {};
    private int[] column = own;
    private boolean uniform;
    private int uniformScore;

    /** Every node has this score. */
    public void uniform(int score) {
        uniform = true;
        uniformScore = score;
    }

    /** The scores stand in this column; it is read, never written, until the pod is done. */
    public void column(int[] scoreByNode) {
        uniform = false;
        column = scoreByNode;
    }

    /** A column of at least this length to be filled in at all feasible nodes; its contents are left from before. */
    public int[] fill(int end) {
        if (own.length < end) {
            own = Arrays.copyOf(own, end + (end >> 2));
        }
        uniform = false;
        column = own;
        return own;
    }

    public boolean isUniform() {
        return uniform;
    }

    public int of(int node) {
        return uniform ? uniformScore : column[node];
    }

    /** Adds weight times score for all nodes below {@code end}, feasible or not: a loop without branches is cheaper. */
    public void addTo(long[] totals, int weight, int end) {
        int[] scores = column;
        for (int node = 0; node < end; node++) {
            totals[node] += (long) weight * scores[node];
        }
    }
}
