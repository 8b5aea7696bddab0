package io.evenkeel.api;

/**
 * Binds the pod to its node, or skips and leaves it to the next. Runs off the engine's thread.
 *
 * @since 0.1
 */
public interface BindPlugin extends Plugin {
    Status bind(CycleState state, PendingPod pod, String nodeName);
}
