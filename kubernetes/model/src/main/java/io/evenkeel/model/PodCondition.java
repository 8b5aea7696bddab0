package io.evenkeel.model;

/**
 * A condition of a pod.
 *
 * @param type such as PodScheduled
 * @param status True, False or Unknown
 * @param lastTransitionTime when the status last changed, as the API writes it; empty where unknown
 * @param observedGeneration the pod's generation that it speaks of; 0 where unknown
 * @since 0.1
 */
public record PodCondition(
        String type, String status, String reason, String message, String lastTransitionTime, long observedGeneration) {
    public static final String POD_SCHEDULED = "PodScheduled";
    public static final String DISRUPTION_TARGET = "DisruptionTarget";
    public static final String READY = "Ready";
    /** Where several engines share a cluster: where a place is asked for the pod, or which engines have tried it. */
    public static final String SHARD = "evenkeel.io/shard";

    /** The reason of a DisruptionTarget that makes room for a pod of higher priority. */
    public static final String PREEMPTION_BY_SCHEDULER = "PreemptionByScheduler";
}
