package io.evenkeel.framework.cycle;

import io.evenkeel.cluster.node.NodeRanking.KeptScores;
import io.evenkeel.cluster.node.NodeSetView;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One plugin's normalised scores of the feasible nodes, in the cheapest of four forms: one score for all, a column that the
 * plugin keeps anyway, classes of nodes that score alike, or a column filled in for this pod. For the first three the best
 * nodes are found without looking at all. What stands at other nodes means nothing.
 */
public final class NodeScores {

    /** How the scores of this pod are given. */
    public enum Form {
        UNIFORM,
        KEPT,
        CLASSES,
        FILLED
    }

    private final ScoreClasses classes = new ScoreClasses();
    private Form form = Form.UNIFORM;
    private int uniformScore;
    private @Nullable KeptScores kept;
    private int[] column = {};

    /** Every node has this score. */
    public void uniform(int score) {
        form = Form.UNIFORM;
        uniformScore = score;
    }

    /** The scores stand in this column, which is kept up to date for all pods of their kind. */
    public void kept(KeptScores scores) {
        form = Form.KEPT;
        kept = scores.upToDate();
    }

    /** Classes to be added, none yet. */
    public ScoreClasses classes() {
        form = Form.CLASSES;
        classes.clear();
        return classes;
    }

    /** A column of at least this length to be filled in at all feasible nodes; its contents are left from before. */
    public int[] fill(int end) {
        if (column.length < end) {
            column = Arrays.copyOf(column, end + (end >> 2));
        }
        form = Form.FILLED;
        return column;
    }

    /** A column that is filled in so at all feasible nodes, all of them below the end. */
    public void fill(NodeSetView feasible, int end, IntUnaryOperator score) {
        int[] filled = fill(end);
        for (int node = feasible.first(); node >= 0; node = feasible.next(node + 1)) {
            filled[node] = score.applyAsInt(node);
        }
    }

    public Form form() {
        return form;
    }

    /** The column that is kept, where the form is this. */
    public KeptScores keptScores() {
        if (kept == null) {
            throw new IllegalStateException("no column is kept of these scores");
        }
        return kept;
    }

    /** The classes that were added, where the form is this. */
    public ScoreClasses addedClasses() {
        return classes;
    }

    public int of(int node) {
        return switch (form) {
            case UNIFORM -> uniformScore;
            case CLASSES -> classes.scoreOf(node);
            case KEPT -> keptScores().of(node);
            case FILLED -> column[node];
        };
    }

    /** Adds weight times score for all nodes below {@code end}, feasible or not: a loop without branches is cheaper. */
    public void addTo(long[] totals, int weight, int end) {
        switch (form) {
            case UNIFORM -> addUniform(totals, weight, end);
            case CLASSES -> classes.addTo(totals, weight);
            case KEPT -> addColumn(keptScores().column(), totals, weight, end);
            case FILLED -> addColumn(column, totals, weight, end);
        }
    }

    private void addUniform(long[] totals, int weight, int end) {
        long score = (long) weight * uniformScore;
        for (int node = 0; node < end; node++) {
            totals[node] += score;
        }
    }

    private static void addColumn(int[] scores, long[] totals, int weight, int end) {
        for (int node = 0; node < end; node++) {
            totals[node] += (long) weight * scores[node];
        }
    }
}
