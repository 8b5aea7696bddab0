package io.evenkeel.framework;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.framework.cycle.CycleState;
import io.evenkeel.framework.cycle.Status;

/** Binds the pod to its node, or skips and leaves it to the next. Runs off the engine's thread. */
public interface BindPlugin extends Plugin {
    Status bind(CycleState state, PodInfo pod, String nodeName);
}
