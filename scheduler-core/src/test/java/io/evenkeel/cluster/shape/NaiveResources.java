package io.evenkeel.cluster.shape;

import io.evenkeel.model.Container;
import io.evenkeel.model.ContainerStatus;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodSpec;
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

    static Map<String, Quantity> taken(Pod pod) {
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

    static boolean takesLess(Pod before, Pod after) {
        Map<String, Quantity> now = taken(after);
        return taken(before).entrySet().stream()
                .anyMatch(was -> was.getValue().compareTo(now.getOrDefault(was.getKey(), Quantity.ZERO)) > 0);
    }

    private static Map<String, Quantity> heldBy(Container container, Pod pod) {
        boolean staysOn = pod.spec().containers().contains(container) || container.sidecar();
        Optional<ContainerStatus> status = pod.status().containers().stream()
                .filter(candidate -> candidate.name().equals(container.name()))
                .filter(candidate -> candidate.actualRequests().isPresent())
                .findFirst();
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
