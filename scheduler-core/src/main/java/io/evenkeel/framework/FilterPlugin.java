package io.evenkeel.framework;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.Plugin;
import io.evenkeel.api.Status;
import io.evenkeel.cluster.NodeInfo;
import io.evenkeel.cluster.PodInfo;

/** Says for one node whether the pod can run there. All that a plugin author needs. */
public interface FilterPlugin extends Plugin {
    Status filter(CycleState state, PodInfo pod, NodeInfo node);
}
