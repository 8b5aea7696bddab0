package io.evenkeel.cluster.shape;

import io.evenkeel.cluster.shape.PodRequests.ContainerSum;
import io.evenkeel.model.Container;
import io.evenkeel.model.ContainerStatus;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodStatus;
import io.evenkeel.model.value.Quantity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Works out what a pod asks for.
 *
 * <p>The status counts while a resize in place is under way, which is of pods in place: a pod that waits is filtered by its
 * spec. What it takes of its node once it is there, and what NodeResourcesBalancedAllocation scores it by, its status has a
 * say in even so, as in the reference.
 *
 * <p>Containers add up ({@link ContainerSum}), then pod-level requests count instead for the resources they name, then
 * overhead comes on top. Quantities are rounded once, at the end.
 *
 * <p>It runs for every pod that waits and every pod event, so the pod of one container and nothing else, which most
 * are, is read without any of that.
 */
record PodResourcesReader(ResourceNames names) {
    private static final Quantity DEFAULT_CPU = Quantity.ofMilli(100);
    private static final Quantity DEFAULT_MEMORY = Quantity.of(200L * 1024 * 1024);
    private static final Map<String, Quantity> DEFAULTS =
            Map.of(ResourceNames.CPU_NAME, DEFAULT_CPU, ResourceNames.MEMORY_NAME, DEFAULT_MEMORY);

    PodResources read(Pod pod) {
        return isOneContainer(pod) ? readOne(pod.spec().containers().getFirst().requests()) : readAll(pod);
    }

    /** Returns the pod's requests, by name and exact. */
    static Map<String, Quantity> requests(Pod pod) {
        return requests(pod, Map.of(), Reading.NODE);
    }

    /** The parts of a pod that are read beside its containers. */
    private enum Reading {
        /** Nothing. */
        CONTAINERS,
        /** Pod-level requests. */
        SPEC,
        /** Pod-level requests, and what the status says of both. */
        NODE
    }

    private static boolean isOneContainer(Pod pod) {
        return pod.spec().containers().size() == 1
                && pod.spec().initContainers().isEmpty()
                && pod.spec().overhead().isEmpty()
                && pod.spec().podRequests().isEmpty()
                && isAsSpecified(
                        pod.spec().containers().getFirst(), pod.status().containers());
    }

    /** Whether the kubelet has given the container what it asks for: almost always, when no resize is under way. */
    private static boolean isAsSpecified(Container container, List<ContainerStatus> statuses) {
        for (int i = 0; i < statuses.size(); i++) {
            ContainerStatus status = statuses.get(i);
            if (status.actualRequests().isPresent()
                    && !(status.actualRequests().get().equals(container.requests())
                            && isNoneOr(container.requests(), status.allocatedResources()))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isNoneOr(Map<String, Quantity> expected, Map<String, Quantity> amounts) {
        return amounts.isEmpty() || amounts.equals(expected);
    }

    private PodResources readOne(Map<String, Quantity> requested) {
        ResourceVector requests = ResourceVector.of(requested, names);
        boolean complete =
                requested.containsKey(ResourceNames.CPU_NAME) && requested.containsKey(ResourceNames.MEMORY_NAME);
        ResourceVector scored = complete ? requests : ResourceVector.of(withDefaults(requested, DEFAULTS), names);
        return new PodResources(
                requests, requests, scored.amountOf(ResourceNames.CPU), scored.amountOf(ResourceNames.MEMORY), scored);
    }

    private PodResources readAll(Pod pod) {
        Map<String, Quantity> asked = requests(pod, Map.of(), Reading.SPEC);
        Map<String, Quantity> requests = hasResources(pod.status()) ? requests(pod, Map.of(), Reading.NODE) : asked;
        Map<String, Quantity> nonZero = requests(pod, defaultsForMissing(pod, requests), Reading.NODE);
        Map<String, Quantity> scored = requests(pod, DEFAULTS, Reading.CONTAINERS);
        return new PodResources(
                ResourceVector.of(asked, names),
                ResourceVector.of(requests, names),
                nonZero.getOrDefault(ResourceNames.CPU_NAME, Quantity.ZERO).milliValue(),
                nonZero.getOrDefault(ResourceNames.MEMORY_NAME, Quantity.ZERO).value(),
                ResourceVector.of(scored, names));
    }

    private static boolean hasResources(PodStatus status) {
        return status.actualRequests().isPresent()
                || status.containers().stream()
                        .anyMatch(container -> container.actualRequests().isPresent());
    }

    /** A pod-level request makes up for containers that name none, so only what neither names is defaulted. */
    private static Map<String, Quantity> defaultsForMissing(Pod pod, Map<String, Quantity> requests) {
        if (!hasPodLevelRequests(pod)) {
            return DEFAULTS;
        }
        Map<String, Quantity> missing = new HashMap<>(DEFAULTS);
        missing.keySet().removeAll(requests.keySet());
        return missing;
    }

    private static Map<String, Quantity> requests(Pod pod, Map<String, Quantity> defaults, Reading reading) {
        Map<String, Quantity> total = containerRequests(pod, defaults, reading == Reading.NODE);
        if (reading != Reading.CONTAINERS && hasPodLevelRequests(pod)) {
            putPodLevelRequests(pod, reading == Reading.NODE, total);
        }
        ContainerSum.addTo(total, pod.spec().overhead());
        return total;
    }

    private static Map<String, Quantity> containerRequests(
            Pod pod, Map<String, Quantity> defaults, boolean asKnownToNode) {
        return ContainerSum.of(
                pod.spec(),
                (container, staysOn) -> withDefaults(requestsOf(container, pod, asKnownToNode && staysOn), defaults));
    }

    /**
     * While a resize in place is under way a container may hold more than its spec says, so the most of spec, allocated
     * and actual counts; of an infeasible resize the spec does not.
     */
    private static Map<String, Quantity> requestsOf(Container container, Pod pod, boolean asKnownToNode) {
        if (!asKnownToNode) {
            return container.requests();
        }
        List<ContainerStatus> statuses = pod.status().containers();
        for (int i = 0; i < statuses.size(); i++) {
            ContainerStatus status = statuses.get(i);
            if (status.name().equals(container.name())
                    && status.actualRequests().isPresent()) {
                return most(
                        pod.status().resizeInfeasible(),
                        container.requests(),
                        status.allocatedResources(),
                        status.actualRequests().get());
            }
        }
        return container.requests();
    }

    /** Of the status only resources count that the spec names too; one that an infeasible resize added counts 0. */
    private static void putPodLevelRequests(Pod pod, boolean asKnownToNode, Map<String, Quantity> total) {
        Map<String, Quantity> requested = pod.spec().podRequests().orElse(Map.of());
        Map<String, Quantity> effective = requested;
        if (asKnownToNode && pod.status().actualRequests().isPresent()) {
            effective = most(
                    pod.status().resizeInfeasible(),
                    requested,
                    pod.status().allocatedResources(),
                    pod.status().actualRequests().get());
        }
        for (String resource : requested.keySet()) {
            if (ResourceNames.isPodLevel(resource)) {
                total.put(resource, effective.getOrDefault(resource, Quantity.ZERO));
            }
        }
    }

    private static Map<String, Quantity> most(
            boolean infeasible,
            Map<String, Quantity> requested,
            Map<String, Quantity> allocated,
            Map<String, Quantity> actual) {
        Map<String, Quantity> most = new HashMap<>(actual);
        ContainerSum.raiseTo(most, allocated);
        if (!infeasible) {
            ContainerSum.raiseTo(most, requested);
        }
        return most;
    }

    private static boolean hasPodLevelRequests(Pod pod) {
        return pod.spec().podRequests().orElse(Map.of()).keySet().stream().anyMatch(ResourceNames::isPodLevel);
    }

    private static Map<String, Quantity> withDefaults(Map<String, Quantity> requests, Map<String, Quantity> defaults) {
        if (requests.keySet().containsAll(defaults.keySet())) {
            return requests;
        }
        Map<String, Quantity> all = new HashMap<>(defaults);
        all.putAll(requests);
        return all;
    }
}
