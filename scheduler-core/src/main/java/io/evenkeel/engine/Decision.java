package io.evenkeel.engine;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.framework.Diagnosis;

/** What became of a pod in one scheduling cycle. */
public sealed interface Decision {

    /** The pod goes to this node. To be acted upon before the next pod is decided. */
    record Placed(PodInfo pod, int node) implements Decision {}

    /** The pod fits nowhere. */
    record Unschedulable(Diagnosis diagnosis) implements Decision {}
}
