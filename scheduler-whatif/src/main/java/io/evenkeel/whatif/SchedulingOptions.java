package io.evenkeel.whatif;

import java.util.Optional;
import java.util.Set;

/**
 * How pods are scheduled in thought.
 *
 * @param isDryRun whether the cluster stays as it is
 * @param stopsOnFailure whether the first pod that waits is the last that is tried
 * @param placement the names of the nodes that come into question; empty for all
 */
public record SchedulingOptions(boolean isDryRun, boolean stopsOnFailure, Optional<Set<String>> placement) {
    /** Pods stay where they go, and each is tried, on all nodes. */
    public static final SchedulingOptions USUAL = new SchedulingOptions(false, false, Optional.empty());

    public SchedulingOptions {
        placement = placement.map(Set::copyOf);
    }

    public SchedulingOptions asDryRun() {
        return new SchedulingOptions(true, stopsOnFailure, placement);
    }

    public SchedulingOptions stoppingOnFailure() {
        return new SchedulingOptions(isDryRun, true, placement);
    }

    public SchedulingOptions among(Set<String> nodes) {
        return new SchedulingOptions(isDryRun, stopsOnFailure, Optional.of(nodes));
    }
}
