package io.evenkeel.cluster;

import io.evenkeel.model.Quantity;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** Amounts of resources by resource id, zero amounts left out. */
public final class ResourceVector {
    public static final ResourceVector NONE = new ResourceVector(new int[0], new long[0]);

    private final int[] resources;
    private final long[] amounts;

    private ResourceVector(int[] resources, long[] amounts) {
        this.resources = resources;
        this.amounts = amounts;
    }

    /** CPU in thousandths, all else in whole units, rounded up as the API does; pods are counted elsewhere. */
    static ResourceVector of(Map<String, Quantity> quantities, ResourceNames names) {
        TreeMap<Integer, Long> byId = new TreeMap<>();
        quantities.forEach((name, quantity) -> {
            if (name.equals(ResourceNames.PODS_NAME)) {
                return;
            }
            int resource = names.idOf(name);
            long amount = resource == ResourceNames.CPU ? quantity.milliValue() : quantity.value();
            if (amount != 0) {
                byId.put(resource, amount);
            }
        });
        return new ResourceVector(
                byId.keySet().stream().mapToInt(Integer::intValue).toArray(),
                byId.values().stream().mapToLong(Long::longValue).toArray());
    }

    /** The number of resources with an amount. */
    public int size() {
        return resources.length;
    }

    public int resourceAt(int index) {
        return resources[index];
    }

    public long amountAt(int index) {
        return amounts[index];
    }

    public long amountOf(int resource) {
        for (int i = 0; i < resources.length; i++) {
            if (resources[i] == resource) {
                return amounts[i];
            }
        }
        return 0;
    }

    public boolean isZero() {
        return resources.length == 0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ResourceVector that
                && Arrays.equals(resources, that.resources)
                && Arrays.equals(amounts, that.amounts);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(resources) + Arrays.hashCode(amounts);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("{");
        for (int i = 0; i < resources.length; i++) {
            text.append(i > 0 ? ", " : "").append(resources[i]).append('=').append(amounts[i]);
        }
        return text.append('}').toString();
    }
}
