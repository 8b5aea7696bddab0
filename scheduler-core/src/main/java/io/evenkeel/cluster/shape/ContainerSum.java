package io.evenkeel.cluster.shape;

import io.evenkeel.model.Container;
import io.evenkeel.model.PodSpec;
import io.evenkeel.model.value.Quantity;
import java.util.HashMap;
import java.util.Map;

/**
 * Adds up amounts of a pod's containers. They run side by side, sidecars with them; an init container runs alone but for
 * the sidecars started before it. So: max(Σ containers + Σ sidecars, max over init containers of (it + sidecars before
 * it)). Quantities are summed exactly.
 */
final class ContainerSum {
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
