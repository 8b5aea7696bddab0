package io.evenkeel.framework;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.Plugin;
import io.evenkeel.api.Status;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;

/** Looks at the feasible nodes once, before they are scored. Skip leaves the plugin's score out. */
public interface PreScorePlugin extends Plugin {
    Status preScore(CycleState state, PodInfo pod, NodeSet feasible);
}
