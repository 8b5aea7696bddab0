package io.evenkeel.framework;

import io.evenkeel.cluster.NodeInfo;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.framework.cycle.CycleState;
import io.evenkeel.framework.cycle.Status;

/** Says for one node whether the pod can run there. All that a plugin author needs. */
public interface FilterPlugin extends Plugin {
    Status filter(CycleState state, PodInfo pod, NodeInfo node);
}
