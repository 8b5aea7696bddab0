package io.evenkeel.api;

/**
 * Says for one node whether the pod can run there. All that a plugin author needs.
 *
 * @since 0.1
 */
public interface FilterPlugin extends Plugin {
    Status filter(CycleState state, PendingPod pod, NodeInfo node);
}
