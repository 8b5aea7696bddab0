package io.evenkeel.framework;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.framework.cycle.CycleState;

/** A plugin that is called after a pod has been bound. */
public interface PostBindPlugin extends Plugin {
    void postBind(CycleState state, PodInfo pod, String nodeName);
}
