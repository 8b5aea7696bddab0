package io.evenkeel.engine;

import io.evenkeel.api.ObjectPatch;
import io.evenkeel.api.Status;
import io.evenkeel.engine.group.GroupObserver;
import io.evenkeel.framework.run.ProfileObserver;
import io.evenkeel.model.Pod;
import io.evenkeel.model.value.NamedConstant;
import io.evenkeel.queue.QueueObserver;

/**
 * An observer of the scheduler, for metrics and logs. Called on the engine's thread, so it must be quick and never
 * block.
 */
public interface SchedulerObserver {
    SchedulerObserver NONE = new SchedulerObserver() {};

    /** The result of an attempt to place a pod. */
    enum AttemptResult {
        SCHEDULED,
        UNSCHEDULABLE,
        ERROR
    }

    /** An attempt ended: placed pods count when their binding has succeeded, from the decision's begin on. */
    default void attempted(String profile, AttemptResult result, long nanos) {}

    /** A decision was made, which took this long. */
    default void decided(long nanos) {}

    /** A pod was bound in its nth attempt, this long after it first entered the active queue. */
    default void scheduled(Pod pod, int attempts, long nanosSinceFirstActive) {}

    /** Pods of a namespace wait behind others, as they take much more work; told once for as long as they do. */
    default void deferred(String namespace) {}

    /** PostFilter plugins were asked about a pod that fits nowhere, whatever came of it. */
    default void preemptionTried() {}

    /** So many pods are to go for another. */
    default void preempting(int victims) {}

    /** All who were to go for a pod are on their way out after this long, or one of them stays. */
    default void preempted(boolean success, long nanos) {}

    /** A pod that waited for a permit got it, or did not, after this long. */
    default void waitedOnPermit(Status.Code result, long nanos) {}

    /** An object that a pod needs was written before it was bound, or not as far as is known. */
    default void wrote(ObjectPatch write, boolean success) {}

    /** A pod waited for devices of this driver to become ready for it. */
    default void waitedForDevices(String profile, String driver, WaitResult result, long nanos) {}

    /** What came of waiting. */
    enum WaitResult implements NamedConstant {
        SUCCESS,
        FAILURE,
        TIMEOUT
    }

    /**
     * Something threw while it dealt with the pod, which is a plugin as a rule. Where an attempt to place the pod ended in it, there
     * will be another; where a plugin was asked to explain itself, the answer goes on without it; two pods that a plugin could not
     * put in order count as equal. Called for each fault, and for those at PreBind and Bind on the thread that binds.
     */
    default void faulted(Pod pod, RuntimeException fault) {}

    /** An event of the cluster was taken in. */
    default void handled(String event, long nanos) {}

    /** The observer of a profile's plugins; asked for once. */
    default ProfileObserver profile(String schedulerName) {
        return ProfileObserver.NONE;
    }

    /** The observer of groups; asked for once, after the profiles' observers, unless none of these places groups. */
    default GroupObserver groups() {
        return GroupObserver.NONE;
    }

    /** The observer of the queue; asked for once. */
    default QueueObserver queue() {
        return QueueObserver.NONE;
    }
}
