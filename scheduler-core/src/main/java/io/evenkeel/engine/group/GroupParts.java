package io.evenkeel.engine.group;

import io.evenkeel.cluster.ClusterState;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.framework.run.SchedulingProfile;
import io.evenkeel.model.Pod;
import java.util.Map;
import java.util.function.Function;

/**
 * The parts of an engine that decide pods which are placed together.
 *
 * @param cycles by the profile that a pod asks for
 * @param profiles by the scheduler names that pods ask for
 */
public record GroupParts(
        ClusterState cluster,
        Function<Pod, SchedulingCycle> cycles,
        KnownMembers members,
        Map<String, SchedulingProfile> profiles) {

    /** Whether some profile places pods together. */
    public boolean placesGroups() {
        return profiles.values().stream().anyMatch(profile -> !profile.groups().isEmpty());
    }
}
