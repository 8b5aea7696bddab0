package io.evenkeel.hollow.controller;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.json.Trees;
import io.evenkeel.hollow.store.StoredObject;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Answers what controllers ask of a pod. */
final class PodState {

    private PodState() {}

    static boolean isReady(StoredObject pod) {
        return readyCondition(pod).isPresent();
    }

    /** Since when the pod is ready, if it is. */
    static Optional<Instant> readySince(StoredObject pod) {
        return readyCondition(pod)
                .map(condition -> Trees.text(condition, "lastTransitionTime"))
                .filter(time -> !time.isEmpty())
                .map(Instant::parse);
    }

    /** Neither over nor going. */
    static boolean isActive(StoredObject pod) {
        return !isOver(pod) && !isGoing(pod);
    }

    static boolean isGoing(StoredObject object) {
        return Trees.at(object.tree(), "metadata", "deletionTimestamp").isPresent();
    }

    static boolean isOver(StoredObject pod) {
        String phase = phase(pod);
        return phase.equals("Succeeded") || phase.equals("Failed");
    }

    static String phase(StoredObject pod) {
        return Trees.text(pod.tree(), "status", "phase");
    }

    static String node(StoredObject pod) {
        return Trees.text(pod.tree(), "spec", "nodeName");
    }

    /** How often the container was restarted that was most often. */
    static long restarts(StoredObject pod) {
        return mostRestarts(pod, "containerStatuses", _ -> true);
    }

    /** Counts the restarts of init containers that go on beside the others. */
    static long sidecarRestarts(StoredObject pod) {
        Set<String> sidecars = Trees.objects(pod.tree(), "spec", "initContainers").stream()
                .filter(container -> Trees.text(container, "restartPolicy").equals("Always"))
                .map(container -> Trees.text(container, "name"))
                .collect(Collectors.toSet());
        return mostRestarts(pod, "initContainerStatuses", sidecars::contains);
    }

    private static long mostRestarts(StoredObject pod, String statuses, Predicate<String> ofContainer) {
        return Trees.objects(pod.tree(), "status", statuses).stream()
                .filter(status -> ofContainer.test(Trees.text(status, "name")))
                .mapToLong(status -> Trees.number(status, "restartCount").orElse(0L))
                .max()
                .orElse(0);
    }

    private static Optional<JsonObject> readyCondition(StoredObject pod) {
        return Trees.objects(pod.tree(), "status", "conditions").stream()
                .filter(condition -> Trees.text(condition, "type").equals("Ready")
                        && Trees.text(condition, "status").equals("True"))
                .findFirst();
    }
}
