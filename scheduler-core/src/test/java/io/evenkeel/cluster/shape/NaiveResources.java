package io.evenkeel.cluster.shape;

import io.evenkeel.model.Container;
import io.evenkeel.model.ContainerStatus;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodSpec;
import io.evenkeel.model.PodStatus;
import io.evenkeel.model.value.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** What a pod asks for, by playing its life: the most that the containers which run together hold at any moment. */
final class NaiveResources {
    private NaiveResources() {}

    static Map<String, Quantity> taken(Pod pod, PodRequests requests) {
        return requests == PodRequests.OF_PODS ? takenTogether(pod) : takenOneByOne(pod);
    }

    /** Three pods are played: of what is asked for, of what is allocated, and of what there is; or two, where the first is in vain. */
    private static Map<String, Quantity> takenTogether(Pod pod) {
        PodStatus status = pod.status();
        boolean inVain = status.resizeInfeasible();
        Map<String, Quantity> asAWhole = status.actualRequests().orElse(Map.of());
        boolean isToldAsAWhole =
                !asAWhole.isEmpty() && !status.allocatedResources().isEmpty();
        Map<String, Quantity> taken = isToldAsAWhole
                ? new TreeMap<>(asAWhole)
                : mostAtAnyMoment(
                        pod,
                        container -> statusOf(container, pod)
                                .flatMap(ContainerStatus::actualRequests)
                                .filter(actual -> !actual.isEmpty())
                                .orElse(allocatedTo(container, pod)));
        raise(
                taken,
                isToldAsAWhole
                        ? status.allocatedResources()
                        : mostAtAnyMoment(pod, container -> allocatedTo(container, pod)));
        raise(taken, inVain ? Map.of() : mostAtAnyMoment(pod, Container::requests));
        Map<String, Quantity> podLevel = new TreeMap<>(pod.spec().podRequests().orElse(Map.of()));
        if (podLevel.keySet().stream().anyMatch(ResourceNames::isPodLevel)) {
            if (status.actualRequests().isPresent()) {
                podLevel.keySet().removeIf(_ -> inVain);
                raise(podLevel, status.allocatedResources());
                raise(podLevel, asAWhole);
            }
            putPodLevel(taken, podLevel);
        }
        add(taken, pod.spec().overhead());
        return taken;
    }

    private static Map<String, Quantity> allocatedTo(Container container, Pod pod) {
        Map<String, Quantity> allocated = statusOf(container, pod)
                .map(ContainerStatus::allocatedResources)
                .orElse(Map.of());
        if (!allocated.isEmpty()) {
            return allocated;
        }
        return pod.status().resizeInfeasible() ? Map.of() : container.requests();
    }

    private static Optional<ContainerStatus> statusOf(Container container, Pod pod) {
        return pod.status().containers().stream()
                .filter(candidate -> candidate.name().equals(container.name()))
                .findFirst();
    }

    private static Map<String, Quantity> takenOneByOne(Pod pod) {
        Map<String, Quantity> asAWhole = pod.spec().podRequests().orElse(Map.of());
        Map<String, Quantity> held = pod.status()
                .actualRequests()
                .map(actual -> most(
                        pod.status().resizeInfeasible(), asAWhole, pod.status().allocatedResources(), actual))
                .orElse(asAWhole);
        Map<String, Quantity> taken = mostAtAnyMoment(pod, container -> heldBy(container, pod));
        asAWhole.keySet().stream()
                .filter(ResourceNames::isPodLevel)
                .forEach(name -> taken.put(name, held.getOrDefault(name, Quantity.ZERO)));
        add(taken, pod.spec().overhead());
        return taken;
    }

    static Map<String, Quantity> requests(Pod pod) {
        Map<String, Quantity> requests = mostAtAnyMoment(pod, Container::requests);
        putPodLevel(requests, pod.spec().podRequests().orElse(Map.of()));
        add(requests, pod.spec().overhead());
        return requests;
    }

    /** What has a limit, other than none at all, is limited to so much more as running the pod costs. */
    static Map<String, Quantity> limits(Pod pod) {
        Map<String, Quantity> limits = mostAtAnyMoment(pod, Container::limits);
        putPodLevel(limits, pod.spec().podLimits());
        limits.replaceAll((name, limit) -> limit.equals(Quantity.ZERO)
                ? limit
                : limit.plus(pod.spec().overhead().getOrDefault(name, Quantity.ZERO)));
        return limits;
    }

    static boolean takesLess(Pod before, Pod after, PodRequests requests) {
        Map<String, Quantity> now = taken(after, requests);
        return taken(before, requests).entrySet().stream()
                .anyMatch(was -> was.getValue().compareTo(now.getOrDefault(was.getKey(), Quantity.ZERO)) > 0);
    }

    private static Map<String, Quantity> heldBy(Container container, Pod pod) {
        boolean staysOn = pod.spec().containers().contains(container) || container.sidecar();
        Optional<ContainerStatus> status = statusOf(container, pod)
                .filter(candidate -> candidate.actualRequests().isPresent());
        return staysOn && status.isPresent()
                ? most(
                        pod.status().resizeInfeasible(),
                        container.requests(),
                        status.get().allocatedResources(),
                        status.get().actualRequests().orElseThrow())
                : container.requests();
    }

    private static Map<String, Quantity> most(
            boolean infeasible,
            Map<String, Quantity> requested,
            Map<String, Quantity> allocated,
            Map<String, Quantity> actual) {
        Map<String, Quantity> most = new TreeMap<>(actual);
        raise(most, allocated);
        raise(most, infeasible ? Map.of() : requested);
        return most;
    }

    private static Map<String, Quantity> mostAtAnyMoment(Pod pod, Function<Container, Map<String, Quantity>> amounts) {
        Map<String, Quantity> most = new TreeMap<>();
        for (List<Container> together : moments(pod.spec())) {
            Map<String, Quantity> now = new TreeMap<>();
            together.forEach(container -> add(now, amounts.apply(container)));
            raise(most, now);
        }
        return most;
    }

    private static List<List<Container>> moments(PodSpec spec) {
        List<List<Container>> moments = new ArrayList<>();
        List<Container> staying = new ArrayList<>();
        for (Container container : spec.initContainers()) {
            List<Container> now = new ArrayList<>(staying);
            now.add(container);
            moments.add(now);
            if (container.sidecar()) {
                staying.add(container);
            }
        }
        staying.addAll(spec.containers());
        moments.add(staying);
        return moments;
    }

    private static void putPodLevel(Map<String, Quantity> total, Map<String, Quantity> asAWhole) {
        asAWhole.forEach((name, amount) -> {
            if (ResourceNames.isPodLevel(name)) {
                total.put(name, amount);
            }
        });
    }

    private static void add(Map<String, Quantity> total, Map<String, Quantity> more) {
        more.forEach((name, amount) -> total.merge(name, amount, Quantity::plus));
    }

    private static void raise(Map<String, Quantity> total, Map<String, Quantity> atLeast) {
        atLeast.forEach((name, amount) -> total.merge(name, amount, (a, b) -> a.compareTo(b) < 0 ? b : a));
    }
}
