package io.evenkeel.cluster.node;

import io.evenkeel.cluster.node.Derivations.Derived;
import io.evenkeel.cluster.node.NodeRanking.KeptScores;
import io.evenkeel.cluster.node.NodeRanking.ScoreBounds;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;

/**
 * A number for each node, worked out from nothing but the node: brought up to date, when it is asked for, at the nodes
 * that changed since.
 */
public final class DerivedColumn implements Derived, KeptScores {
    private final NodeTable nodes;
    private final ChangeLog log;
    private final IntUnaryOperator evaluate;
    private final Optional<IntFunction<ScoreBounds>> bounds;
    private int[] values = {};
    private int nonZero;
    private long version;
    private final IntConsumer evaluateAgain = this::evaluate;
    private long readTo = -1;
    private boolean dropped;

    DerivedColumn(
            NodeTable nodes, ChangeLog log, IntUnaryOperator evaluate, Optional<IntFunction<ScoreBounds>> bounds) {
        this.nodes = nodes;
        this.log = log;
        this.evaluate = evaluate;
        this.bounds = bounds;
    }

    /** At once: each number is worked out when it is asked for, and all of them where the column is. */
    @Override
    public DerivedColumn upToDate() {
        return this;
    }

    /** The number, worked out again: a thousand columns are in no processor's cache, so that to keep it would cost more. */
    @Override
    public int of(int node) {
        return evaluate.applyAsInt(node);
    }

    @Override
    public ScoreBounds bounds(int bits) {
        return bounds.isEmpty() ? this : bounds.get().apply(bits);
    }

    @Override
    public int[] column() {
        return current();
    }

    /** By node, 0 for rows without a node; to be read only, and only until the cluster changes. */
    @Override
    public int[] current() {
        if (values.length < nodes.end()) {
            values = Arrays.copyOf(values, nodes.end() + (nodes.end() >> 2));
        }
        if (readTo != log.position()) {
            if (log.reaches(readTo, nodes.count())) {
                log.forEachSince(readTo, evaluateAgain);
            } else {
                for (int node = 0; node < nodes.end(); node++) {
                    evaluate(node);
                }
            }
            readTo = log.position();
        }
        return values;
    }

    /** Differs from what it was before whenever a number does, as of the last {@link #current}. */
    public long version() {
        return version;
    }

    /** Never: all that changes is in the log. */
    @Override
    public long reworked() {
        return 0;
    }

    @Override
    public boolean isDropped() {
        return dropped;
    }

    void drop() {
        dropped = true;
    }

    /** Whether all numbers are zero, so that none needs to be looked at. */
    public boolean isAllZero() {
        current();
        return nonZero == 0;
    }

    private void evaluate(int node) {
        int now = nodes.isPresent(node) ? evaluate.applyAsInt(node) : 0;
        int before = values[node];
        if (now != before) {
            nonZero += (now != 0 ? 1 : 0) - (before != 0 ? 1 : 0);
            values[node] = now;
            version++;
        }
    }

    @Override
    public String differenceFromRecount() {
        int[] kept = current();
        for (int node = 0; node < nodes.end(); node++) {
            int recounted = nodes.isPresent(node) ? evaluate.applyAsInt(node) : 0;
            if (kept[node] != recounted) {
                return "column at node " + nodes.name(node) + " kept " + kept[node] + ", recounted " + recounted;
            }
        }
        return "";
    }

    @Override
    public String description(IntFunction<String> nameOf) {
        int[] kept = current();
        Map<String, Integer> byName = new TreeMap<>();
        for (int node = 0; node < nodes.end(); node++) {
            if (kept[node] != 0) {
                byName.put(nameOf.apply(node), kept[node]);
            }
        }
        return "column " + byName + " all zero " + isAllZero();
    }
}
