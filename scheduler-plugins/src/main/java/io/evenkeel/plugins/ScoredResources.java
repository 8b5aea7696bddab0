package io.evenkeel.plugins;

import io.evenkeel.cluster.counting.ExtendedResources;
import io.evenkeel.cluster.shape.ResourceNames;
import io.evenkeel.cluster.shape.ResourceVector;
import io.evenkeel.config.PluginArgs.ResourceWeight;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;

/**
 * The resources that scoring looks at for one set of requests, with the amounts requested, as arrays in the order of
 * the configuration. A scalar resource that the pod requests nothing of is left out.
 */
@SuppressWarnings("ArrayRecordComponent") // compared by their elements
record ScoredResources(int[] resources, String[] resourceNames, long[] amounts, long[] weights) {
    /** A hundred times as much is a whole number of a double. */
    private static final long USUAL = AllocationFormula.EXACT_AS_DOUBLE;

    static ScoredResources of(List<ResourceWeight> configured, ResourceVector requests, ResourceNames names) {
        int[] ids = new int[configured.size()];
        String[] resourceNames = new String[ids.length];
        long[] amounts = new long[ids.length];
        long[] weights = new long[ids.length];
        int size = 0;
        for (int i = 0; i < configured.size(); i++) {
            String name = configured.get(i).name();
            int id = names.idOf(name);
            long amount = requests.amountOf(id);
            if (amount != 0 || !names.isScalar(id)) {
                ids[size] = id;
                resourceNames[size] = name;
                amounts[size] = amount;
                weights[size++] = configured.get(i).weight();
            }
        }
        return new ScoredResources(
                Arrays.copyOf(ids, size),
                Arrays.copyOf(resourceNames, size),
                Arrays.copyOf(amounts, size),
                Arrays.copyOf(weights, size));
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

    /** The same resources, of each the least that begins with the same bits. */
    ScoredResources least(int bits) {
        return withAmounts(amount -> amount & -spanOf(amount, bits));
    }

    /** The same resources, of each the most that begins with the same bits. */
    ScoredResources most(int bits) {
        return withAmounts(amount -> amount | (spanOf(amount, bits) - 1));
    }

    private static long spanOf(long amount, int bits) {
        return 1L << Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(amount) - bits);
    }

    private ScoredResources withAmounts(LongUnaryOperator change) {
        long[] changed = new long[amounts.length];
        for (int i = 0; i < changed.length; i++) {
            changed[i] = change.applyAsLong(amounts[i]);
        }
        return new ScoredResources(resources, resourceNames, changed, weights);
    }

    /** Whether all are of those that every node has, and sums of them far from where they overflow. */
    boolean areUsual() {
        for (int i = 0; i < resources.length; i++) {
            if (resources[i] > ResourceNames.EPHEMERAL_STORAGE || amounts[i] > USUAL) {
                return false;
            }
        }
        return true;
    }

    /** Whether scores of amounts in between are in between. */
    static boolean isUsual(long used, long capacity) {
        return used >= 0 && used <= USUAL && capacity >= 0 && capacity <= USUAL;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ScoredResources that
                && Arrays.equals(resources, that.resources)
                && Arrays.equals(amounts, that.amounts)
                && Arrays.equals(weights, that.weights);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(resources) + Arrays.hashCode(amounts);
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
