package io.evenkeel.engine.decision;

import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeTable;

/** Chooses the first by name among the best nodes: for answers that can be repeated. */
public final class FirstByName implements NodeChoice {
    @Override
    public int choose(NodeSet best, NodeTable nodes) {
        int first = best.first();
        for (int node = best.next(first + 1); node >= 0; node = best.next(node + 1)) {
            if (nodes.name(node).compareTo(nodes.name(first)) < 0) {
                first = node;
            }
        }
        return first;
    }
}
