package io.evenkeel.engine.decision;

import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeTable;

/** Picks one of the feasible nodes with the highest total. */
public interface NodeChoice {

    /** One of the feasible nodes, of which there is at least one. */
    int choose(NodeSet feasible, long[] totals, NodeTable nodes);
}
