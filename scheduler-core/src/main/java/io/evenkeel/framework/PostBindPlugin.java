package io.evenkeel.framework;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.Plugin;
import io.evenkeel.cluster.PodInfo;

/** A plugin that is called after a pod has been bound. */
public interface PostBindPlugin extends Plugin {
    void postBind(CycleState state, PodInfo pod, String nodeName);
}
