package io.evenkeel.api;

import java.util.Optional;

/**
 * A PreBind plugin that has objects written and waits for what others make of them, such as a provisioner that
 * sees which node a claim is for. It neither writes nor waits itself: the scheduler does, for as many pods at once as there are,
 * and stops when the pod goes. Before the PreBind of plugins that do their work themselves.
 *
 * @since 0.1
 */
public interface PreparingPlugin extends PreBindPlugin {

    /** Prepares the pod, before it is bound, for this node, for which it was reserved; empty where nothing is to be done. */
    Optional<Preparation> prepare(CycleState state, PendingPod pod, String nodeName);

    @Override
    default Status preBindPreFlight(CycleState state, PendingPod pod, String nodeName) {
        return Status.SKIP;
    }

    @Override
    default Status preBind(CycleState state, PendingPod pod, String nodeName) {
        return Status.SUCCESS;
    }
}
