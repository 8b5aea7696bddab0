package io.evenkeel.framework;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.framework.cycle.CycleState;

/** Is told of a binding that succeeded. */
public interface PostBindPlugin extends Plugin {
    void postBind(CycleState state, PodInfo pod, String nodeName);
}
