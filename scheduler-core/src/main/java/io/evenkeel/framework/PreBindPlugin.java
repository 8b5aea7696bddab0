package io.evenkeel.framework;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.Plugin;
import io.evenkeel.api.Status;
import io.evenkeel.cluster.PodInfo;

/** Does what must be done before the pod is bound. Runs off the engine's thread and may take its time. */
public interface PreBindPlugin extends Plugin {

    /**
     * Skip where there is nothing to do for this pod; where one has, the pod's status names its node as nominated until it
     * is bound. Runs on the engine's thread; not asked where the feature gate NominatedNodeNameForExpectation is off, and
     * every PreBind is run then.
     */
    default Status preBindPreFlight(CycleState state, PodInfo pod, String nodeName) {
        return Status.SUCCESS;
    }

    Status preBind(CycleState state, PodInfo pod, String nodeName);
}
