package io.evenkeel.framework;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.Preparation;
import io.evenkeel.api.Status;
import io.evenkeel.cluster.PodInfo;
import java.util.Optional;

/**
 * A PreBind plugin that has objects written and waits for what others make of them, such as a provisioner that
 * sees which node a claim is for. It neither writes nor waits itself: the scheduler does, for as many pods at once as there are,
 * and stops when the pod goes. Before the PreBind of plugins that do their work themselves.
 */
public interface PreparingPlugin extends PreBindPlugin {

    /** Prepares the pod, before it is bound, for this node, for which it was reserved; empty where nothing is to be done. */
    Optional<Preparation> prepare(CycleState state, PodInfo pod, String nodeName);

    @Override
    default Status preBindPreFlight(CycleState state, PodInfo pod, String nodeName) {
        return Status.SKIP;
    }

    @Override
    default Status preBind(CycleState state, PodInfo pod, String nodeName) {
        return Status.SUCCESS;
    }
}
