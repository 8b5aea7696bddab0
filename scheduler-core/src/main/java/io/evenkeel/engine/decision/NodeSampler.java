package io.evenkeel.engine.decision;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.node.NodeSet;
import java.util.OptionalInt;

/**
 * Leaves only some of the feasible nodes to be scored, where the configuration sets {@code percentageOfNodesToScore}.
 *
 * <p>As in the reference, at least 100 nodes are kept, and each pod starts looking where the one before it stopped, so
 * that all nodes get their turn. Without the setting all nodes are scored: that is what this scheduler is fast for.
 */
final class NodeSampler {
    private static final int FEWEST_NODES = 100;

    private final ClusterView cluster;
    private final OptionalInt percentage;
    private final NodeSet kept = new NodeSet();
    private int nextStart;

    NodeSampler(ClusterView cluster, OptionalInt percentage) {
        this.cluster = cluster;
        this.percentage = percentage;
    }

    /** Takes feasible nodes out until there are no more than wanted. */
    void sample(NodeSet feasible, int excluded) {
        if (percentage.isEmpty() || percentage.getAsInt() <= 0 || percentage.getAsInt() >= 100) {
            return;
        }
        int nodes = cluster.nodes().count() - excluded;
        int wanted = Math.max(FEWEST_NODES, (int) ((long) nodes * percentage.getAsInt() / 100));
        if (nodes <= FEWEST_NODES || feasible.size() <= wanted) {
            return;
        }
        kept.clear();
        int node = feasible.next(nextStart);
        for (int count = 0; count < wanted; count++) {
            if (node < 0) {
                node = feasible.first();
            }
            kept.add(node);
            nextStart = node + 1;
            node = feasible.next(nextStart);
        }
        feasible.copyFrom(kept);
    }
}
