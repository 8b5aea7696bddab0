package io.evenkeel.app.scaledown;

import io.evenkeel.app.scaledown.ManagedPolicies.Managed;
import io.evenkeel.engine.ObjectEvent;
import io.evenkeel.kube.event.EventSink;
import io.evenkeel.kube.event.Regarding;
import io.evenkeel.model.Annotations;
import io.evenkeel.model.Pod;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Pods with a cost of another writer's: counted each once, and told once of a policy. */
final class Clashes {
    private static final String REASON = "PodDeletionCostNotOurs";

    private final String reporter;
    private final ScaleDownMetrics metrics;
    private final Map<String, String> uids = new HashMap<>();
    private final Set<String> told = new HashSet<>();
    private EventSink events = (_, _) -> {};

    /** @param reporter the name under which events are written */
    Clashes(String reporter, ScaleDownMetrics metrics) {
        this.reporter = reporter;
        this.metrics = metrics;
    }

    void begin(EventSink sink) {
        events = sink;
    }

    void found(Managed managed, Pod pod) {
        boolean isNew = !pod.meta().uid().equals(uids.put(pod.key(), pod.meta().uid()));
        if (isNew) {
            metrics.clashed();
        }
        if (told.add(managed.name() + " " + managed.policy().meta().uid())) {
            String cost = pod.meta().annotations().getOrDefault(Annotations.DELETION_COST, "none");
            String note =
                    "Pod " + pod.key() + " has a pod-deletion-cost (" + cost + ") that another has written: it is left"
                            + " as it is, as are those of other pods that this is so of";
            events.recordEvent(
                    Regarding.object(managed.readable().kind(), managed.policy().meta()),
                    new ObjectEvent(ObjectEvent.Type.WARNING, REASON, "Ranking", note, reporter));
        }
    }

    /** Forgets pods that are there no longer. */
    void retain(Predicate<String> isThere) {
        uids.keySet().removeIf(pod -> !isThere.test(pod));
    }
}
