package io.evenkeel.queue;

/** Why pods move, besides changes of the cluster, by the names that the reference's metrics have for it. */
final class QueueEvents {
    static final String POD_ADD = "UnschedulablePodAdd";
    static final String ATTEMPT_FAILURE = "ScheduleAttemptFailure";
    static final String BACKOFF_COMPLETE = "BackoffComplete";
    static final String POP_FROM_BACKOFF = "PopFromBackoffQ";
    static final String UNSCHEDULABLE_TIMEOUT = "UnschedulableTimeout";
    static final String FORCE_ACTIVATE = "ForceActivate";

    private QueueEvents() {}
}
