package io.evenkeel.plugins;

import io.evenkeel.cluster.counting.ExtendedResources;
import io.evenkeel.cluster.shape.ResourceNames;
import io.evenkeel.cluster.shape.ResourceVector;
import io.evenkeel.config.PluginArgs.ResourceWeight;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/**
 * The resources that scoring looks at for one set of requests, with the amounts requested, as arrays in the order of
 * the configuration. A scalar resource that the pod requests nothing of is left out.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ScoredResources(int[] resources, String[] resourceNames, long[] amounts, long[] weights) {
    static ScoredResources of(List<ResourceWeight> configured, ResourceVector requests, ResourceNames names) {
        List<ResourceWeight> scored = configured.stream()
                .filter(resource -> {
                    int id = names.idOf(resource.name());
                    return requests.amountOf(id) != 0 || !names.isScalar(id);
                })
                .toList();
        int[] ids = scored.stream()
                .mapToInt(resource -> names.idOf(resource.name()))
                .toArray();
        long[] amounts = new long[ids.length];
        for (int i = 0; i < ids.length; i++) {
            amounts[i] = requests.amountOf(ids[i]);
        }
        return new ScoredResources(
                ids,
                scored.stream().map(ResourceWeight::name).toArray(String[]::new),
                amounts,
                scored.stream().mapToLong(ResourceWeight::weight).toArray());
    }

    /** Whether any of the configured ones could stand for devices. */
    static boolean mayBeDevices(List<ResourceWeight> configured, ExtendedResources extended) {
        return extended.isOn() && configured.stream().anyMatch(resource -> ExtendedResources.isOne(resource.name()));
    }

    boolean anyIs(Predicate<String> what) {
        return Arrays.stream(resourceNames).anyMatch(what);
    }

    int size() {
        return resources.length;
    }

    int resource(int index) {
        return resources[index];
    }

    String name(int index) {
        return resourceNames[index];
    }

    long amount(int index) {
        return amounts[index];
    }

    long weight(int index) {
        return weights[index];
    }

    /** Whether the pod requests none of the configured resources. */
    boolean isBestEffort() {
        for (long amount : amounts) {
            if (amount != 0) {
                return false;
            }
        }
        return true;
    }
}
