package io.evenkeel.framework;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.framework.cycle.CycleState;
import io.evenkeel.framework.cycle.Status;

/** Looks at the feasible nodes once, before they are scored. Skip leaves the plugin's score out. */
public interface PreScorePlugin extends Plugin {
    Status preScore(CycleState state, PodInfo pod, NodeSet feasible);
}
