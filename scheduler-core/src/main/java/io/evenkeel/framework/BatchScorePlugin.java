package io.evenkeel.framework;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.Plugin;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.framework.cycle.NodeScores;

/** Scores all feasible nodes at once, normalised. */
public interface BatchScorePlugin extends Plugin {
    void scoreAll(CycleState state, PodInfo pod, NodeSet feasible, NodeScores scores);
}
