package io.evenkeel.hollow.controller;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.Conditions;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.ObjectKey;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.Annotations;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.workload.DeletionOrder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Answers what controllers ask of a pod. */
final class PodState {

    private PodState() {}

    static boolean isReady(StoredObject pod) {
        return Conditions.holds(pod.tree(), "Ready");
    }

    /** Since when the pod is ready, if it is. */
    static Optional<Instant> readySince(StoredObject pod) {
        return Trees.objects(pod.tree(), "status", "conditions").stream()
                .filter(condition -> Trees.text(condition, "type").equals("Ready")
                        && Trees.text(condition, "status").equals("True"))
                .map(condition -> Trees.text(condition, "lastTransitionTime"))
                .findFirst()
                .filter(time -> !time.isEmpty())
                .map(Instant::parse);
    }

    /** Neither over nor going. */
    static boolean isActive(StoredObject pod) {
        return !isOver(pod) && !pod.isGoing();
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

    /** Where the pod's claims of devices are; the name is empty of one that is not made yet. */
    static List<ObjectKey> deviceClaims(StoredObject pod) {
        List<String> names = new ArrayList<>();
        for (JsonObject claim : Trees.objects(pod.tree(), "spec", "resourceClaims")) {
            String own = Trees.text(claim, "resourceClaimName");
            names.add(own.isEmpty() ? nameOfMade(pod, Trees.text(claim, "name")) : own);
        }
        String ofExtendedResources =
                Trees.text(pod.tree(), "status", "extendedResourceClaimStatus", "resourceClaimName");
        if (!ofExtendedResources.isEmpty()) {
            names.add(ofExtendedResources);
        }
        return names.stream()
                .map(name -> new ObjectKey(ResourceTable.RESOURCE_CLAIMS.storage(), pod.namespace(), name))
                .toList();
    }

    /** The name of the claim that was made for one of a pod's claims; empty before. */
    static String nameOfMade(StoredObject pod, String claim) {
        return Trees.objects(pod.tree(), "status", "resourceClaimStatuses").stream()
                .filter(status -> Trees.text(status, "name").equals(claim))
                .map(status -> Trees.text(status, "resourceClaimName"))
                .findFirst()
                .orElse("");
    }

    /** The pod as the order of deletion sees it. */
    static DeletionOrder.Candidate candidate(StoredObject pod, Instant now) {
        JsonObject tree = pod.tree();
        return new DeletionOrder.Candidate(
                pod.uid(),
                node(pod),
                phase(pod),
                isReady(pod),
                DeletionOrder.cost(Trees.text(tree, "metadata", "annotations", Annotations.DELETION_COST)),
                readySince(pod).orElse(now),
                mostRestarts(pod, "containerStatuses", _ -> true),
                sidecarRestarts(pod),
                Instant.parse(Trees.text(tree, "metadata", "creationTimestamp")));
    }

    /** Counts the restarts of init containers that go on beside the others. */
    private static long sidecarRestarts(StoredObject pod) {
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
}
