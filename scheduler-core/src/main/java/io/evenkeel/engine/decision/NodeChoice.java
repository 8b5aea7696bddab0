package io.evenkeel.engine.decision;

import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeTable;

/** Picks one of the nodes that suit a pod best. */
public interface NodeChoice {

    /** Chooses one of these; there is at least one. */
    int choose(NodeSet best, NodeTable nodes);
}
