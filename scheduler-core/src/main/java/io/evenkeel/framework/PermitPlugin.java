package io.evenkeel.framework;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.Plugin;
import io.evenkeel.api.Status;
import io.evenkeel.cluster.NodeInfo;
import io.evenkeel.cluster.PodInfo;
import java.time.Duration;

/** Admits, delays or refuses the binding of a placed pod. */
public interface PermitPlugin extends Plugin {

    /**
     * The plugin's decision.
     *
     * @param timeout how long to wait at most, where the status says Wait
     */
    record Result(Status status, Duration timeout) {
        public static final Result ALLOW = new Result(Status.SUCCESS, Duration.ZERO);
    }

    Result permit(CycleState state, PodInfo pod, NodeInfo node);
}
