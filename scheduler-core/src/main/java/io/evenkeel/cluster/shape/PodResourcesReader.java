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
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

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
final class PodResourcesReader {
    private static final Quantity DEFAULT_CPU = Quantity.ofMilli(100);
    private static final Quantity DEFAULT_MEMORY = Quantity.of(200L * 1024 * 1024);
    private static final Map<String, Quantity> DEFAULTS =
            Map.of(ResourceNames.CPU_NAME, DEFAULT_CPU, ResourceNames.MEMORY_NAME, DEFAULT_MEMORY);

    private final ResourceNames names;
    private final PodRequests footprint;
    private final ResourceVector.Probe requested;

    PodResourcesReader(ResourceNames names, PodRequests footprint) {
        this.names = names;
        this.footprint = footprint;
        requested = new ResourceVector.Probe(names);
    }

    PodResources read(Pod pod) {
        return isOneContainer(pod) ? readOne(pod.spec().containers().getFirst().requests()) : readAll(pod);
    }

    /** The same; those of a facet where one has them. */
    PodResources read(Pod pod, FacetTable<PodResources> facets) {
        if (!isOneContainer(pod)) {
            return readAll(pod);
        }
        Map<String, Quantity> own = pod.spec().containers().getFirst().requests();
        if (isComplete(own) && requested.holds(own)) {
            PodResources known = facets.known(PodResources.hash(requested), requested, PodResources::areAll);
            if (known != null) {
                return known;
            }
        }
        return readOne(own);
    }

    /** Returns the pod's requests, by name and exact. */
    static Map<String, Quantity> requests(Pod pod, PodRequests footprint) {
        return requests(pod, footprint, Map.of(), Reading.NODE);
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

    private boolean isOneContainer(Pod pod) {
        return pod.spec().containers().size() == 1
                && pod.spec().initContainers().isEmpty()
                && pod.spec().overhead().isEmpty()
                && pod.spec().podRequests().isEmpty()
                && isAsSpecified(pod.spec().containers().getFirst().requests(), pod.status());
    }

    /** Whether the kubelet has given the only container what it asks for: almost always, when no resize is under way. */
    private boolean isAsSpecified(Map<String, Quantity> requested, PodStatus status) {
        return switch (footprint) {
            case OF_CONTAINERS -> areAsSpecified(requested, status.containers());
            case OF_PODS ->
                !status.resizeInfeasible()
                        && isNoneOr(requested, status.allocatedResources())
                        && isNoneOr(requested, status.actualRequests().orElse(Map.of()))
                        && areNoneOrAsSpecified(requested, status.containers());
        };
    }

    private static boolean areAsSpecified(Map<String, Quantity> requested, List<ContainerStatus> statuses) {
        for (int i = 0; i < statuses.size(); i++) {
            ContainerStatus status = statuses.get(i);
            if (status.actualRequests().isPresent()
                    && !(status.actualRequests().get().equals(requested)
                            && isNoneOr(requested, status.allocatedResources()))) {
                return false;
            }
        }
        return true;
    }

    private static boolean areNoneOrAsSpecified(Map<String, Quantity> requested, List<ContainerStatus> statuses) {
        for (int i = 0; i < statuses.size(); i++) {
            ContainerStatus status = statuses.get(i);
            if (!isNoneOr(requested, status.allocatedResources())
                    || !isNoneOr(requested, status.actualRequests().orElse(Map.of()))) {
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
        ResourceVector scored =
                isComplete(requested) ? requests : ResourceVector.of(withDefaults(requested, DEFAULTS), names);
        return new PodResources(
                requests, requests, scored.amountOf(ResourceNames.CPU), scored.amountOf(ResourceNames.MEMORY), scored);
    }

    /** Whether no default counts. */
    private static boolean isComplete(Map<String, Quantity> requested) {
        return requested.containsKey(ResourceNames.CPU_NAME) && requested.containsKey(ResourceNames.MEMORY_NAME);
    }

    private PodResources readAll(Pod pod) {
        Map<String, Quantity> asked = requests(pod, Map.of(), Reading.SPEC);
        Map<String, Quantity> requests = hasASay(pod.status()) ? requests(pod, Map.of(), Reading.NODE) : asked;
        Map<String, Quantity> nonZero = requests(pod, defaultsForMissing(pod, requests), Reading.NODE);
        Map<String, Quantity> scored = requests(pod, DEFAULTS, Reading.CONTAINERS);
        return new PodResources(
                ResourceVector.of(asked, names),
                ResourceVector.of(requests, names),
                nonZero.getOrDefault(ResourceNames.CPU_NAME, Quantity.ZERO).milliValue(),
                nonZero.getOrDefault(ResourceNames.MEMORY_NAME, Quantity.ZERO).value(),
                ResourceVector.of(scored, names));
    }

    private boolean hasASay(PodStatus status) {
        return status.actualRequests().isPresent()
                || status.containers().stream()
                        .anyMatch(container -> container.actualRequests().isPresent())
                || (footprint == PodRequests.OF_PODS
                        && (status.resizeInfeasible()
                                || status.containers().stream()
                                        .anyMatch(container ->
                                                !container.allocatedResources().isEmpty())));
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

    private Map<String, Quantity> requests(Pod pod, Map<String, Quantity> defaults, Reading reading) {
        return requests(pod, footprint, defaults, reading);
    }

    private static Map<String, Quantity> requests(
            Pod pod, PodRequests footprint, Map<String, Quantity> defaults, Reading reading) {
        Map<String, Quantity> total =
                reading == Reading.NODE ? held(pod, footprint, defaults) : sum(pod, defaults, Container::requests);
        if (reading != Reading.CONTAINERS && hasPodLevelRequests(pod)) {
            putPodLevelRequests(pod, footprint, reading == Reading.NODE, total);
        }
        ContainerSum.addTo(total, pod.spec().overhead());
        return total;
    }

    private static Map<String, Quantity> sum(
            Pod pod, Map<String, Quantity> defaults, Function<Container, Map<String, Quantity>> amounts) {
        return ContainerSum.of(pod.spec(), (container, _) -> withDefaults(amounts.apply(container), defaults));
    }

    /** What the containers hold at most, as {@link PodRequests} tells; of an infeasible resize the spec counts for nothing. */
    private static Map<String, Quantity> held(Pod pod, PodRequests footprint, Map<String, Quantity> defaults) {
        return switch (footprint) {
            case OF_CONTAINERS ->
                ContainerSum.of(
                        pod.spec(),
                        (container, staysOn) ->
                                withDefaults(staysOn ? held(container, pod) : container.requests(), defaults));
            case OF_PODS -> heldTogether(pod, defaults);
        };
    }

    private static Map<String, Quantity> held(Container container, Pod pod) {
        Optional<ContainerStatus> status = statusOf(container, pod);
        Optional<Map<String, Quantity>> actual = status.flatMap(ContainerStatus::actualRequests);
        return actual.isEmpty()
                ? container.requests()
                : most(
                        pod.status().resizeInfeasible(),
                        container.requests(),
                        status.get().allocatedResources(),
                        actual.get());
    }

    /** Where the status tells of the whole pod, those of its containers count for nothing. */
    private static Map<String, Quantity> heldTogether(Pod pod, Map<String, Quantity> defaults) {
        PodStatus status = pod.status();
        Map<String, Quantity> specified = sum(pod, defaults, Container::requests);
        Map<String, Quantity> ofPod = status.actualRequests().orElse(Map.of());
        return !ofPod.isEmpty() && !status.allocatedResources().isEmpty()
                ? most(status.resizeInfeasible(), specified, status.allocatedResources(), ofPod)
                : most(
                        status.resizeInfeasible(),
                        specified,
                        sum(pod, defaults, container -> allocated(container, pod)),
                        sum(pod, defaults, container -> actual(container, pod)));
    }

    private static Map<String, Quantity> allocated(Container container, Pod pod) {
        return statusOf(container, pod)
                .map(ContainerStatus::allocatedResources)
                .filter(allocated -> !allocated.isEmpty())
                .orElseGet(() -> pod.status().resizeInfeasible() ? Map.of() : container.requests());
    }

    private static Map<String, Quantity> actual(Container container, Pod pod) {
        return statusOf(container, pod)
                .flatMap(ContainerStatus::actualRequests)
                .filter(actual -> !actual.isEmpty())
                .orElseGet(() -> allocated(container, pod));
    }

    private static Optional<ContainerStatus> statusOf(Container container, Pod pod) {
        List<ContainerStatus> statuses = pod.status().containers();
        for (int i = 0; i < statuses.size(); i++) {
            if (statuses.get(i).name().equals(container.name())) {
                return Optional.of(statuses.get(i));
            }
        }
        return Optional.empty();
    }

    /**
     * Of containers' sums, only resources of the status count that the spec names too, and one that an infeasible resize added counts
     * 0; of the whole pod's, all do that the status names.
     */
    private static void putPodLevelRequests(
            Pod pod, PodRequests footprint, boolean asKnownToNode, Map<String, Quantity> total) {
        Map<String, Quantity> requested = pod.spec().podRequests().orElse(Map.of());
        Map<String, Quantity> effective = requested;
        if (asKnownToNode && pod.status().actualRequests().isPresent()) {
            effective = most(
                    pod.status().resizeInfeasible(),
                    requested,
                    pod.status().allocatedResources(),
                    pod.status().actualRequests().get());
        }
        Set<String> named = footprint == PodRequests.OF_PODS ? effective.keySet() : requested.keySet();
        for (String resource : named) {
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
