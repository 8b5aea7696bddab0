package io.evenkeel.model;

import java.util.Optional;

/**
 * A condition of a PodGroup.
 *
 * @param type such as PodGroupInitiallyScheduled
 * @param status True, False or Unknown
 * @param lastTransitionTime when the status last changed, as the API writes it; empty where unknown
 * @param observedGeneration the group's generation that it speaks of; 0 where unknown
 */
public record GroupCondition(
        String type, String status, String reason, String message, String lastTransitionTime, long observedGeneration) {
    /** Once it is True it stays so, whatever becomes of the pods. */
    public static final String INITIALLY_SCHEDULED = "PodGroupInitiallyScheduled";

    /** True while fewer of its pods are in place than it needs, but some. */
    public static final String DEGRADED = "evenkeel.io/Degraded";

    /** The reason of a group for which there is no place. */
    public static final String UNSCHEDULABLE = "Unschedulable";

    /** The reason of a group that could not be looked at. */
    public static final String SCHEDULER_ERROR = "SchedulerError";

    public boolean isTrue() {
        return status.equals("True");
    }

    /** Takes the place of another; where the status is the same, its time of change stays. */
    public GroupCondition after(Optional<GroupCondition> before) {
        String since = before.filter(other -> other.type.equals(type) && other.status.equals(status))
                .map(GroupCondition::lastTransitionTime)
                .orElse(lastTransitionTime);
        return new GroupCondition(type, status, reason, message, since, observedGeneration);
    }
}
