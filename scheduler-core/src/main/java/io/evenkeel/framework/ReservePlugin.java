package io.evenkeel.framework;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.Plugin;
import io.evenkeel.api.Status;
import io.evenkeel.cluster.NodeInfo;
import io.evenkeel.cluster.PodInfo;

/** Keeps books of what the pod will use on the chosen node. */
public interface ReservePlugin extends Plugin {
    Status reserve(CycleState state, PodInfo pod, NodeInfo node);

    /** Takes the reservation back; may be called for one that was never made, and when the node is gone. */
    void unreserve(CycleState state, PodInfo pod, String nodeName);
}
