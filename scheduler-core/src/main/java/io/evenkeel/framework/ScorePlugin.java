package io.evenkeel.framework;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.Plugin;
import io.evenkeel.cluster.NodeInfo;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;

/** Says how good a node would be for the pod. */
public interface ScorePlugin extends Plugin {
    int MAX_SCORE = 100;

    long score(CycleState state, PodInfo pod, NodeInfo node);

    /** Brings raw scores into 0 to {@link #MAX_SCORE}, in place; as they are unless overridden. */
    default void normalize(CycleState state, PodInfo pod, NodeSet feasible, long[] scoreByNode) {}
}
