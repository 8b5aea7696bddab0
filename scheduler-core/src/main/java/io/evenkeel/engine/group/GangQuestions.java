package io.evenkeel.engine.group;

import io.evenkeel.model.Pod;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Answers what becomes of gangs, as their turns would, for people who want to know. Changes nothing. */
public interface GangQuestions {
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

    /**
     * The outcome for a gang if it has its turn now.
     *
     * @param inPlace how many of its pods are in place
     * @param pods of it that wait, and that no gate holds
     * @param waits why none of them is placed, in the words of their conditions; empty where as many as are needed are
     * @param seats where pods of it go; where none is placed, as many as find room one after the other
     * @param rest why no more of them go somewhere; empty where all do
     */
    record GangOutlook(
            GroupMembership membership,
            int inPlace,
            List<Pod> pods,
            Optional<String> waits,
            List<Seat> seats,
            String rest) {

        /** Where the pod goes; empty where it waits. */
        public Optional<String> nodeOf(Pod pod) {
            return waits.isPresent()
                    ? Optional.empty()
                    : seats.stream()
                            .filter(seat -> seat.pod().key().equals(pod.key()))
                            .map(Seat::node)
                            .findFirst();
        }

        /** Why a pod waits that has no place beside those which have: no more may go to the gang's domain. */
        public Optional<String> waitsBesideOthers() {
            return membership.terms().topologyKey().map(_ -> membership.waits(rest));
        }
    }
}
