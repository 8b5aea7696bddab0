package io.evenkeel.engine.decision;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.framework.cycle.Diagnosis;
import java.util.Optional;

/** The outcome of one scheduling cycle for its pod. */
public sealed interface Decision {

    /** The pod goes to this node. To be acted upon before the next pod is decided. */
    record Placed(PodInfo pod, int node) implements Decision {}

    /**
     * The pod fits nowhere.
     *
     * @param nominatedNode where it may fit soon, for its status: empty leaves that as it is, an empty name takes it away
     */
    record Unschedulable(Diagnosis diagnosis, Optional<String> nominatedNode) implements Decision {}
}
