package io.evenkeel.model.value;

import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Makes the maps from resource name to amount that requests, allocatable and the like are. They are immutable and
 * iterate by name: {@link Map#copyOf} iterates differently from one JVM to the next, and the engine must not.
 */
public final class ResourceList {
    private ResourceList() {}

    /** Alternating resource names and quantities, as in {@code of("cpu", "100m", "memory", "1Gi")}. */
    public static Map<String, Quantity> of(String... namesAndQuantities) {
        if (namesAndQuantities.length % 2 != 0) {
            throw new IllegalArgumentException(
                    "a resource without an amount in " + Arrays.toString(namesAndQuantities));
        }
        Map<String, Quantity> amounts = new TreeMap<>();
        for (int i = 0; i < namesAndQuantities.length; i += 2) {
            amounts.put(namesAndQuantities[i], Quantity.parse(namesAndQuantities[i + 1]));
        }
        return copyOf(amounts);
    }

    public static Map<String, Quantity> copyOf(Map<String, Quantity> amounts) {
        return switch (amounts.size()) {
            case 0 -> Map.of();
            case 1 -> Map.copyOf(amounts);
            default -> Collections.unmodifiableMap(new TreeMap<>(amounts));
        };
    }
}
