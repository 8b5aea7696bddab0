package io.evenkeel.api;

import java.time.Duration;

/**
 * Admits, delays or refuses the binding of a placed pod.
 *
 * @since 0.1
 */
public interface PermitPlugin extends Plugin {

    /**
     * The plugin's decision.
     *
     * @param timeout how long to wait at most, where the status says Wait
     */
    record Result(Status status, Duration timeout) {
        public static final Result ALLOW = new Result(Status.SUCCESS, Duration.ZERO);
    }

    Result permit(CycleState state, PendingPod pod, NodeInfo node);
}
