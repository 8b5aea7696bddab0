package io.evenkeel.tools.observe;

import io.evenkeel.cluster.shape.NodeRequirement;
import io.evenkeel.cluster.shape.SpreadRules;
import io.evenkeel.cluster.shape.Tolerations;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.plugins.podtopologyspread.PodConstraints;
import io.evenkeel.tools.why.Workload;
import java.util.List;

/** Pods of one controller that are spread alike. On the engine's thread, as all of this package. */
final class Replicas {

    /**
     * The common traits of the replicas, by which their constraints are found and counted.
     *
     * @param schedulerName by which their default constraints are chosen
     */
    record Key(
            String schedulerName,
            String namespace,
            OwnerReference controller,
            SpreadRules rules,
            NodeRequirement requirement,
            Tolerations tolerations) {}

    private final Key key;
    private final Workload workload;
    private final Pod sample;
    int placed;
    int waiting;
    PodConstraints.Of asked = PodConstraints.Of.NONE;
    List<WatchedConstraint> constraints = List.of();

    Replicas(Key key, Workload workload, Pod sample) {
        this.key = key;
        this.workload = workload;
        this.sample = sample;
    }

    Key key() {
        return key;
    }

    Workload workload() {
        return workload;
    }

    /** One of them, as it was when it was heard of first. */
    Pod sample() {
        return sample;
    }

    int placed() {
        return placed;
    }

    /** How many there are, on nodes or not. */
    int size() {
        return placed + waiting;
    }

    List<WatchedConstraint> constraints() {
        return constraints;
    }
}
