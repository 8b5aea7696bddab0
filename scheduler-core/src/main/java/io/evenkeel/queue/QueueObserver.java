package io.evenkeel.queue;

/** An observer of the queue, for metrics. Called on the engine's thread, so it must be quick and never block. */
public interface QueueObserver {
    QueueObserver NONE = new QueueObserver() {};

    /**
     * A pod came into one of the queues.
     *
     * @param queue active, backoff or unschedulable
     * @param event what brought it there, such as AssignedPodDelete or BackoffComplete
     */
    default void incoming(String queue, String event) {}

    /** A plugin judged whether a change may help a pod, which took this long. */
    default void hintRan(String plugin, String event, boolean queued, long nanos) {}

    /** A pod was bound that had been tried again only because it had been unschedulable for so long. */
    default void boundAfterFlush() {}

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
}
