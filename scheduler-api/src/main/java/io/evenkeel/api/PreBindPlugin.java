package io.evenkeel.api;

/**
 * Does what must be done before the pod is bound. Runs off the engine's thread and may take its time.
 *
 * @since 0.1
 */
public interface PreBindPlugin extends Plugin {

    /**
     * Skip where there is nothing to do for this pod; where one has, the pod's status names its node as nominated until it
     * is bound. Runs on the engine's thread; not asked where the feature gate NominatedNodeNameForExpectation is off, and
     * every PreBind is run then.
     */
    default Status preBindPreFlight(CycleState state, PendingPod pod, String nodeName) {
        return Status.SUCCESS;
    }

    Status preBind(CycleState state, PendingPod pod, String nodeName);
}
