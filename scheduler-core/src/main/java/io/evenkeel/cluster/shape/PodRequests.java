package io.evenkeel.cluster.shape;

import io.evenkeel.config.Difference;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.model.Container;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodSpec;
import io.evenkeel.model.value.Quantity;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * The amounts that pods take of a node, by resource name; see {@link PodResourcesReader}. While a resize in place is under way a
 * container may hold more than its spec says. How that counts:
 *
 * <pre>
 *             spec   allocated   actual
 *   main       1         4         4      to shrink
 *   agent      4         1         1      to grow
 *
 *   OF_CONTAINERS   4 + 4 = 8
 *   OF_PODS         the most of 1 + 4, 4 + 1 and 4 + 1 = 5
 * </pre>
 */
public enum PodRequests {
    /** The sum of what each container takes at most. */
    OF_CONTAINERS,
    /** What the pod takes at most: a resize is allocated, and made, for all containers at once. */
    OF_PODS;

    public static PodRequests at(FeatureGates gates) {
        return gates.has(Difference.RESIZED_AS_A_WHOLE) ? OF_PODS : OF_CONTAINERS;
    }

    public Map<String, Quantity> of(Pod pod) {
        return PodResourcesReader.requests(pod, this);
    }

    /** Whether the pod takes less of something than it did. */
    public boolean isScaledDown(Pod before, Pod after) {
        return !readsTheSame(before, after) && isLess(of(before), of(after));
    }

    private static boolean isLess(Map<String, Quantity> before, Map<String, Quantity> now) {
        return before.entrySet().stream()
                .anyMatch(entry -> entry.getValue().compareTo(now.getOrDefault(entry.getKey(), Quantity.ZERO)) > 0);
    }

    /** Most updates of a pod touch none of this, and need no sums to be made. */
    private static boolean readsTheSame(Pod before, Pod after) {
        return before.spec().containers().equals(after.spec().containers())
                && before.spec().initContainers().equals(after.spec().initContainers())
                && before.spec().podRequests().equals(after.spec().podRequests())
                && before.spec().overhead().equals(after.spec().overhead())
                && before.status().resizeInfeasible() == after.status().resizeInfeasible()
                && before.status().containers().equals(after.status().containers())
                && before.status().allocatedResources().equals(after.status().allocatedResources())
                && before.status().actualRequests().equals(after.status().actualRequests());
    }

    /**
     * The requests and limits of a pod's spec, by resource name; what the kubelet has made of it while a resize is under
     * way does not count. Pod-level amounts stand instead of the containers' for the resources they name.
     */
    public static final class SpecifiedResources {
        private SpecifiedResources() {}

        /** Whether the pod asks for less of something than it did. */
        public static boolean isScaledDown(Pod before, Pod after) {
            return !readsTheSame(before, after) && isLess(requests(before), requests(after));
        }

        public static Map<String, Quantity> requests(Pod pod) {
            Map<String, Quantity> total = ContainerSum.of(pod.spec(), (container, _) -> container.requests());
            pod.spec().podRequests().orElse(Map.of()).forEach(over(total));
            ContainerSum.addTo(total, pod.spec().overhead());
            return total;
        }

        /** Overhead comes on top where there is a limit: what is not limited stays without. */
        public static Map<String, Quantity> limits(Pod pod) {
            Map<String, Quantity> total = ContainerSum.of(pod.spec(), (container, _) -> container.limits());
            pod.spec().podLimits().forEach(over(total));
            pod.spec()
                    .overhead()
                    .forEach((name, amount) -> total.computeIfPresent(
                            name, (_, limit) -> limit.signum() == 0 ? limit : limit.plus(amount)));
            return total;
        }

        private static BiConsumer<String, Quantity> over(Map<String, Quantity> total) {
            return (name, amount) -> {
                if (ResourceNames.isPodLevel(name)) {
                    total.put(name, amount);
                }
            };
        }
    }

    /**
     * Adds up amounts of a pod's containers. They run side by side, sidecars with them; an init container runs alone but for
     * the sidecars started before it. So: max(Σ containers + Σ sidecars, max over init containers of (it + sidecars before
     * it)). Quantities are summed exactly.
     */
    static final class ContainerSum {
        private ContainerSum() {}

        /** Which amounts of a container. */
        @FunctionalInterface
        interface Amounts {
            /** The amounts of this one; it stays on while the pod runs, or is an init container that ends. */
            Map<String, Quantity> of(Container container, boolean staysOn);
        }

        static Map<String, Quantity> of(PodSpec spec, Amounts amounts) {
            Map<String, Quantity> total = new HashMap<>();
            for (Container container : spec.containers()) {
                addTo(total, amounts.of(container, true));
            }
            Map<String, Quantity> sidecars = new HashMap<>();
            Map<String, Quantity> whileStarting = new HashMap<>();
            for (Container container : spec.initContainers()) {
                Map<String, Quantity> own = amounts.of(container, container.sidecar());
                if (container.sidecar()) {
                    addTo(total, own);
                    addTo(sidecars, own);
                } else {
                    Map<String, Quantity> together = new HashMap<>(own);
                    addTo(together, sidecars);
                    raiseTo(whileStarting, together);
                }
            }
            raiseTo(total, whileStarting);
            return total;
        }

        static void addTo(Map<String, Quantity> total, Map<String, Quantity> more) {
            more.forEach((name, amount) -> total.merge(name, amount, Quantity::plus));
        }

        static void raiseTo(Map<String, Quantity> total, Map<String, Quantity> atLeast) {
            atLeast.forEach((name, amount) -> total.merge(name, amount, (a, b) -> a.compareTo(b) >= 0 ? a : b));
        }
    }
}
