package io.evenkeel.cluster.shape;

import io.evenkeel.cluster.shape.PodRequests.ContainerSum;
import io.evenkeel.cluster.shape.PodRequests.SpecifiedResources;
import io.evenkeel.model.Container;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.value.Quantity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Has a pod ask for less of a resource. Of containers that run side by side, sidecars among them, the one that asks for most
 * gives first, then the next; of an init container that runs before them it gives itself. Each keeps some of what it asks
 * for, and is changed no more than it must be. Overhead is not the pod's to lower.
 *
 * <pre>
 *               cpu    to 2     to 1
 *   main        1500m  1300m    300m
 *   agent        700m   700m    700m
 *   init        1800m  1800m   1000m
 *   pod         2200m      2       1
 * </pre>
 */
public final class LoweredRequests {
    private static final Comparator<Quantity> LEAST_FIRST = Comparator.naturalOrder();

    private final String resource;
    private final Quantity least;
    private final List<Container> containers;
    private final List<Container> initContainers;

    private LoweredRequests(Pod pod, String resource) {
        this.resource = resource;
        least = ResourceNames.quantity(resource, 1);
        containers = new ArrayList<>(pod.spec().containers());
        initContainers = new ArrayList<>(pod.spec().initContainers());
    }

    /** The amount that a pod asks for of a resource, cpu in thousandths. */
    public static long asked(Pod pod, String resource) {
        Quantity asked = SpecifiedResources.requests(pod).getOrDefault(resource, Quantity.ZERO);
        return resource.equals(ResourceNames.CPU_NAME) ? asked.milliValue() : asked.value();
    }

    /** The pod once it asks for just so much; empty where that cannot be, as one of its containers would be left none. */
    public static Optional<Pod> to(Pod pod, String resource, long amount) {
        if (amount <= 0) {
            return Optional.empty();
        }
        Quantity left = ResourceNames.quantity(resource, amount)
                .minus(pod.spec().overhead().getOrDefault(resource, Quantity.ZERO));
        Map<String, Quantity> podLevel = pod.spec().podRequests().orElse(Map.of());
        Optional<Pod> lowered = podLevel.containsKey(resource) && ResourceNames.isPodLevel(resource)
                ? podLevelTo(pod, resource, left)
                : new LoweredRequests(pod, resource).containersTo(pod, left);
        return lowered.filter(changed -> asked(changed, resource) == amount);
    }

    /** Containers ask for no more than their pod does, nor do huge pages for less than they are limited to. */
    private static Optional<Pod> podLevelTo(Pod pod, String resource, Quantity left) {
        Quantity ofContainers = ContainerSum.of(pod.spec(), (container, _) -> container.requests())
                .getOrDefault(resource, Quantity.ZERO);
        if (left.signum() <= 0 || ofContainers.compareTo(left) > 0 || isAsMuchAsLimited(resource)) {
            return Optional.empty();
        }
        Map<String, Quantity> requests = new HashMap<>(pod.spec().podRequests().orElse(Map.of()));
        requests.put(resource, left);
        return Optional.of(PodBuilder.from(pod).podRequests(requests).build());
    }

    private Optional<Pod> containersTo(Pod pod, Quantity left) {
        if (!lowerThoseTogether(left)) {
            return Optional.empty();
        }
        Quantity sidecars = Quantity.ZERO;
        for (int i = 0; i < initContainers.size(); i++) {
            Container container = initContainers.get(i);
            if (container.sidecar()) {
                sidecars = sidecars.plus(amount(container));
            } else if (sidecars.plus(amount(container)).compareTo(left) > 0) {
                Quantity own = left.minus(sidecars);
                if (own.compareTo(least) < 0 || amount(container).compareTo(own) < 0) {
                    return Optional.empty();
                }
                initContainers.set(i, asking(container, own));
            }
        }
        return Optional.of(
                PodBuilder.from(pod).containers(containers, initContainers).build());
    }

    private boolean lowerThoseTogether(Quantity left) {
        Quantity tooMuch = Quantity.ZERO.minus(left);
        List<Integer> giving = new ArrayList<>(); // init containers after the others
        for (int i = 0; i < containers.size() + initContainers.size(); i++) {
            if (i < containers.size()
                    || initContainers.get(i - containers.size()).sidecar()) {
                giving.add(i);
                tooMuch = tooMuch.plus(amount(container(i)));
            }
        }
        giving.sort(Comparator.comparing((Integer i) -> amount(container(i)), LEAST_FIRST.reversed()));
        for (int i : giving) {
            Quantity mayGive = amount(container(i)).minus(least);
            if (tooMuch.signum() > 0 && mayGive.signum() > 0) {
                Quantity given = mayGive.compareTo(tooMuch) < 0 ? mayGive : tooMuch;
                set(i, asking(container(i), amount(container(i)).minus(given)));
                tooMuch = tooMuch.minus(given);
            }
        }
        return tooMuch.signum() <= 0;
    }

    private Container container(int i) {
        return i < containers.size() ? containers.get(i) : initContainers.get(i - containers.size());
    }

    private void set(int i, Container container) {
        if (i < containers.size()) {
            containers.set(i, container);
        } else {
            initContainers.set(i - containers.size(), container);
        }
    }

    private Quantity amount(Container container) {
        return container.requests().getOrDefault(resource, Quantity.ZERO);
    }

    private Container asking(Container container, Quantity amount) {
        Map<String, Quantity> requests = new HashMap<>(container.requests());
        requests.put(resource, amount);
        Map<String, Quantity> limits = new HashMap<>(container.limits());
        if (isAsMuchAsLimited(resource)) {
            limits.replace(resource, amount);
        }
        return container.asking(requests, limits);
    }

    /** Whether an API server takes a request only where the limit is the same. */
    static boolean isAsMuchAsLimited(String resource) {
        return ResourceNames.isExtended(resource) || resource.startsWith("hugepages-");
    }
}
