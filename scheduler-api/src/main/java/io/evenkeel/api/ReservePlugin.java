package io.evenkeel.api;

/**
 * Keeps books of what the pod will use on the chosen node.
 *
 * @since 0.1
 */
public interface ReservePlugin extends Plugin {
    Status reserve(CycleState state, PendingPod pod, NodeInfo node);

    /** Takes the reservation back; may be called for one that was never made, and when the node is gone. */
    void unreserve(CycleState state, PendingPod pod, String nodeName);
}
