package io.evenkeel.engine.decision;

import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeTable;

/** Among the best nodes, the one whose name comes first: for answers that can be repeated. */
public final class FirstByName implements NodeChoice {
    @Override
    public int choose(NodeSet feasible, long[] totals, NodeTable nodes) {
        int best = feasible.first();
        for (int node = feasible.next(best + 1); node >= 0; node = feasible.next(node + 1)) {
            if (totals[node] > totals[best]
                    || (totals[node] == totals[best] && nodes.name(node).compareTo(nodes.name(best)) < 0)) {
                best = node;
            }
        }
        return best;
    }
}
