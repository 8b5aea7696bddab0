package io.evenkeel.framework;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.Plugin;
import io.evenkeel.api.Status;
import io.evenkeel.cluster.PodInfo;

/** Binds the pod to its node, or skips and leaves it to the next. Runs off the engine's thread. */
public interface BindPlugin extends Plugin {
    Status bind(CycleState state, PodInfo pod, String nodeName);
}
