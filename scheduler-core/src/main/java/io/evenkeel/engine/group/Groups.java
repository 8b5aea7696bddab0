package io.evenkeel.engine.group;

import io.evenkeel.cluster.ClusterState;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.framework.run.SchedulingProfile;
import io.evenkeel.model.Pod;
import io.evenkeel.queue.SchedulingQueue;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/** Places pods together: found by a {@link ServiceLoader} where a jar brings it; else each pod is decided by itself. */
public interface Groups {
    Groups FOUND = ServiceLoader.load(Groups.class, Groups.class.getClassLoader())
            .findFirst()
            .orElseGet(() -> new Groups() {});

    /** The turns of groups on this engine and queue. */
    default GroupTurns turns(
            GroupParts engine,
            SchedulingQueue queue,
            MemberOutcomes outcomes,
            GroupReports reports,
            GroupObserver observer,
            LongSupplier clock) {
        return GroupTurns.NONE;
    }

    /**
     * Answers of gangs to those who ask why.
     *
     * @param needsExtenders whether extenders have a say in where a pod goes
     */
    default GangQuestions questions(GroupParts engine, Predicate<Pod> needsExtenders) {
        return GangQuestions.NONE;
    }

    /**
     * The parts of an engine that decide pods which are placed together.
     *
     * @param cycles by the profile that a pod asks for
     * @param profiles by the scheduler names that pods ask for
     */
    record GroupParts(
            ClusterState cluster,
            Function<Pod, SchedulingCycle> cycles,
            KnownMembers members,
            Map<String, SchedulingProfile> profiles) {

        /** Whether some profile places pods together. */
        public boolean placesGroups() {
            return profiles.values().stream()
                    .anyMatch(profile -> !profile.groups().isEmpty());
        }
    }
}
