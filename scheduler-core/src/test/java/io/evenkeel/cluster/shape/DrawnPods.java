package io.evenkeel.cluster.shape;

import io.evenkeel.cluster.Pick;
import io.evenkeel.model.Container;
import io.evenkeel.model.ContainerStatus;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodStatus;
import io.evenkeel.model.build.ContainerBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.value.Quantity;
import io.evenkeel.model.value.ResourceList;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Random pods that ask for resources. Each part of a pod is drawn from a number of its own: two pods whose numbers differ
 * in one place differ in that part alone.
 */
final class DrawnPods {
    /** What is drawn. */
    enum Part {
        CONTAINERS,
        INIT_CONTAINERS,
        POD_REQUESTS,
        POD_LIMITS,
        OVERHEAD,
        INFEASIBLE,
        CONTAINER_STATUSES,
        ALLOCATED,
        ACTUAL
    }

    private DrawnPods() {}

    static Map<Part, Integer> numbers(Pick pick) {
        Map<Part, Integer> numbers = new EnumMap<>(Part.class);
        EnumSet.allOf(Part.class).forEach(part -> numbers.put(part, pick.below(1_000)));
        return numbers;
    }

    static Pod pod(Map<Part, Integer> numbers) {
        PodBuilder pod = PodBuilder.pod("p");
        containers(numbers, Part.CONTAINERS, "c").forEach(pod::container);
        containers(numbers, Part.INIT_CONTAINERS, "i").forEach(pod::initContainer);
        sometimes(numbers, Part.POD_REQUESTS).ifPresent(pod::podRequests);
        Pick limits = pick(numbers, Part.POD_LIMITS);
        pod.podLimits(limits.oneIn(2) ? amounts(limits) : new String[0]);
        pod.overhead(sometimes(numbers, Part.OVERHEAD).orElse(Map.of()));
        return pod.status(status(numbers)).build();
    }

    /** A pod of one container and what the kubelet says of it. */
    static Pod podOfOneContainer(Map<Part, Integer> numbers) {
        Container container = containers(numbers, Part.CONTAINERS, "c").getFirst();
        PodStatus status = new PodStatus(
                "Running", "", statuses(pick(numbers, Part.CONTAINER_STATUSES)), false, Map.of(), Optional.empty());
        return PodBuilder.pod("p").container(container).status(status).build();
    }

    private static Pick pick(Map<Part, Integer> numbers, Part part) {
        return new Pick(new SplittableRandom(numbers.get(part)));
    }

    private static List<Container> containers(Map<Part, Integer> numbers, Part part, String prefix) {
        Pick pick = pick(numbers, part);
        List<Container> containers = new ArrayList<>();
        int count = part == Part.CONTAINERS ? 1 + pick.below(3) : pick.below(4);
        for (int i = 0; i < count; i++) {
            containers.add(ContainerBuilder.container(prefix + i)
                    .requests(amounts(pick))
                    .limits(amounts(pick))
                    .sidecar(part == Part.INIT_CONTAINERS && pick.oneIn(2))
                    .build());
        }
        return containers;
    }

    private static PodStatus status(Map<Part, Integer> numbers) {
        return new PodStatus(
                "Running",
                "",
                statuses(pick(numbers, Part.CONTAINER_STATUSES)),
                pick(numbers, Part.INFEASIBLE).oneIn(2),
                sometimes(numbers, Part.ALLOCATED).orElse(Map.of()),
                sometimes(numbers, Part.ACTUAL));
    }

    private static List<ContainerStatus> statuses(Pick pick) {
        return pick.some(
                3,
                () -> new ContainerStatus(
                        pick.of("c0", "c1", "i0", "i1", "gone"),
                        pick.oneIn(3) ? Map.of() : ResourceList.of(amounts(pick)),
                        pick.oneIn(3) ? Optional.empty() : Optional.of(ResourceList.of(amounts(pick)))));
    }

    private static Optional<Map<String, Quantity>> sometimes(Map<Part, Integer> numbers, Part part) {
        Pick pick = pick(numbers, part);
        return pick.oneIn(2) ? Optional.of(ResourceList.of(amounts(pick))) : Optional.empty();
    }

    /** Alternating names and quantities; of few, so that many are alike. */
    private static String[] amounts(Pick pick) {
        Map<String, String> amounts = new TreeMap<>();
        pick.some(
                        4,
                        () -> pick.of(
                                ResourceNames.CPU_NAME, ResourceNames.MEMORY_NAME, "hugepages-2Mi", "example.com/gpu"))
                .forEach(name -> amounts.put(name, pick.of("0", "300m", "1", "2")));
        return amounts.entrySet().stream()
                .flatMap(amount -> List.of(amount.getKey(), amount.getValue()).stream())
                .toArray(String[]::new);
    }
}
