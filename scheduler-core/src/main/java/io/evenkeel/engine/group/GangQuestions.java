package io.evenkeel.engine.group;

import io.evenkeel.model.Pod;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Answers what becomes of gangs, as their turns would, for people who want to know. Changes nothing. */
public interface GangQuestions {
    /** No pod is in a gang. */
    GangQuestions NONE = new GangQuestions() {};

    /**
     * How many pods of a gang there are.
     *
     * @param known the pods that wait and the pods in place
     */
    record Roll(GroupMembership membership, int known) {}

    /** The roll of the gang that the pod is one of; empty where it is in none, or in one that there is not. */
    default Optional<Roll> rollOf(Pod pod) {
        return Optional.empty();
    }

    /** The outlook of the gang of a pod that waits; empty where it is in none. */
    default Optional<GangOutlook> about(Pod pod) {
        return about(pod, UnaryOperator.identity());
    }

    /** The same, as if others of it were as they are made here. */
    default Optional<GangOutlook> about(Pod pod, UnaryOperator<Pod> others) {
        return Optional.empty();
    }
}
