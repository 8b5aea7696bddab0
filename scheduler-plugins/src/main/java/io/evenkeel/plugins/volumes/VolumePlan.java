package io.evenkeel.plugins.volumes;

import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import java.util.List;

/**
 * How a pod gets its volumes on one node.
 *
 * @param matches claims that get a volume which is there
 * @param toMake claims for which one is made near the node
 */
record VolumePlan(List<Match> matches, List<PersistentVolumeClaim> toMake) {
    static final VolumePlan NOTHING_TO_DO = new VolumePlan(List.of(), List.of());

    /** A claim and the volume that it gets. */
    record Match(PersistentVolumeClaim claim, PersistentVolume volume) {}

    VolumePlan {
        matches = List.copyOf(matches);
        toMake = List.copyOf(toMake);
    }

    boolean isNothing() {
        return matches.isEmpty() && toMake.isEmpty();
    }
}
