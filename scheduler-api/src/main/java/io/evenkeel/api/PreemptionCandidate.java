package io.evenkeel.api;

import io.evenkeel.model.Pod;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A node where a pod could run once these pods are gone.
 *
 * @param victims the pods that would go; none where extenders are to name them
 * @param violations how many of them go against a disruption budget
 * @since 0.1
 */
public record PreemptionCandidate(String node, List<Pod> victims, long violations) {
    public PreemptionCandidate {
        victims = List.copyOf(victims);
    }

    /** Whether the same pods go from the same node at the same price, whatever else has become of them. */
    public boolean isSameAs(PreemptionCandidate other) {
        return node.equals(other.node) && violations == other.violations && uids().equals(other.uids());
    }

    private Object uids() {
        return victims.stream().map(victim -> victim.meta().uid()).collect(Collectors.toSet());
    }
}
