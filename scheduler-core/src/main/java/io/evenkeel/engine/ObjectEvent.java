package io.evenkeel.engine;

import io.evenkeel.model.Pod;
import io.evenkeel.model.value.NamedConstant;

/**
 * An event for users to read, in the terms of events.k8s.io.
 *
 * @param reportingController the profile's scheduler name
 */
public record ObjectEvent(Type type, String reason, String action, String note, String reportingController) {

    /** The reason where a pod was bound. */
    public static final String SCHEDULED = "Scheduled";

    /** The reason where an attempt has failed. */
    public static final String FAILED_SCHEDULING = "FailedScheduling";

    /** How much it should worry its reader. */
    public enum Type implements NamedConstant {
        NORMAL,
        WARNING
    }

    public static ObjectEvent scheduled(String podKey, String node, String scheduler) {
        return new ObjectEvent(
                Type.NORMAL, SCHEDULED, "Binding", "Successfully assigned " + podKey + " to " + node, scheduler);
    }

    public static ObjectEvent preempted(Pod preemptor, String node) {
        return new ObjectEvent(
                Type.NORMAL,
                "Preempted",
                "Preempting",
                "Preempted by pod " + preemptor.meta().uid() + " on node " + node,
                preemptor.spec().schedulerName());
    }

    /** Pods of other namespaces are tried before this one's. */
    public static ObjectEvent deferred(String namespace, String scheduler) {
        return new ObjectEvent(
                Type.WARNING,
                "TurnDeferred",
                "Scheduling",
                "Pods of namespace " + namespace
                        + " take much more work than pods usually do: they are tried after those of other namespaces"
                        + " until these have caught up",
                scheduler);
    }

    public static ObjectEvent failedScheduling(String message, String scheduler) {
        return new ObjectEvent(Type.WARNING, FAILED_SCHEDULING, "Scheduling", message, scheduler);
    }
}
