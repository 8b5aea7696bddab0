package io.evenkeel.api;

/**
 * A plugin that is called after a pod has been bound.
 *
 * @since 0.1
 */
public interface PostBindPlugin extends Plugin {
    void postBind(CycleState state, PendingPod pod, String nodeName);
}
