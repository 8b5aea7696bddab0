package io.evenkeel.engine.group;

import io.evenkeel.model.Pod;
import java.util.List;
import java.util.Optional;

/**
 * The outcome for a gang if it has its turn now.
 *
 * @param inPlace how many of its pods are in place
 * @param pods of it that wait, and that no gate holds
 * @param waits why none of them is placed, in the words of their conditions; empty where as many as are needed are
 * @param seats where pods of it go; where none is placed, as many as find room one after the other
 * @param rest why no more of them go somewhere; empty where all do
 */
public record GangOutlook(
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
