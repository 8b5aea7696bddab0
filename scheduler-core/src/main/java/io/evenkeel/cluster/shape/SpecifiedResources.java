package io.evenkeel.cluster.shape;

import io.evenkeel.model.Pod;
import io.evenkeel.model.value.Quantity;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * The requests and limits of a pod's spec, by resource name; what the kubelet has made of it while a resize is under
 * way does not count. Pod-level amounts stand instead of the containers' for the resources they name.
 */
public final class SpecifiedResources {
    private SpecifiedResources() {}

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
                .forEach((name, amount) ->
                        total.computeIfPresent(name, (_, limit) -> limit.signum() == 0 ? limit : limit.plus(amount)));
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
