package io.evenkeel.api;

import java.util.Optional;

/**
 * What plugins said of each node, of a pod that fits on none; as it was when the pod was tried.
 *
 * @since 0.1
 */
public interface NodeStatuses {

    /**
     * Returns the status against this node, or against the pod as a whole; empty where plugins had narrowed the choice to other
     * nodes.
     */
    Optional<Status> against(NodeInfo node);

    /** The message that the pod's user reads, such as {@code 0/3 nodes are available: 3 Insufficient cpu.} */
    String message();
}
