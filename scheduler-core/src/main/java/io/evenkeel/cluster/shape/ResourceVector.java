package io.evenkeel.cluster.shape;

import io.evenkeel.model.value.Quantity;
import java.util.Arrays;
import java.util.Map;
import java.util.function.BiConsumer;

/** Amounts of resources by resource id, in the order of ids, zero amounts left out. */
public final class ResourceVector {
    public static final ResourceVector NONE = new ResourceVector(new int[0], new long[0]);

    private final int[] resources;
    private final long[] amounts;
    private final int hash;

    private ResourceVector(int[] resources, long[] amounts) {
        this.resources = resources;
        this.amounts = amounts;
        this.hash = 31 * Arrays.hashCode(resources) + Arrays.hashCode(amounts);
    }

    /** CPU in thousandths, all else in whole units, rounded up as the API does. Names that nobody counts are left out. */
    public static ResourceVector of(Map<String, Quantity> quantities, ResourceNames names) {
        Builder builder = new Builder(names, quantities.size());
        quantities.forEach(builder);
        return builder.build();
    }

    /** Takes amounts in by name and keeps them sorted by id: there are two to five of them. */
    private static final class Builder implements BiConsumer<String, Quantity> {
        private final ResourceNames names;
        private final int[] resources;
        private final long[] amounts;
        private int size;

        Builder(ResourceNames names, int capacity) {
            this.names = names;
            resources = new int[capacity];
            amounts = new long[capacity];
        }

        @Override
        public void accept(String name, Quantity quantity) {
            int resource = names.countedId(name);
            long amount = resource == ResourceNames.CPU ? quantity.milliValue() : quantity.value();
            if (amount == 0 || resource < 0) {
                return;
            }
            int at = size++;
            while (at > 0 && resources[at - 1] > resource) {
                resources[at] = resources[at - 1];
                amounts[at] = amounts[at - 1];
                at--;
            }
            resources[at] = resource;
            amounts[at] = amount;
        }

        ResourceVector build() {
            if (size == 0) {
                return NONE;
            }
            return size == resources.length
                    ? new ResourceVector(resources, amounts)
                    : new ResourceVector(Arrays.copyOf(resources, size), Arrays.copyOf(amounts, size));
        }
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
                && hash == that.hash
                && Arrays.equals(resources, that.resources)
                && Arrays.equals(amounts, that.amounts);
    }

    @Override
    public int hashCode() {
        return hash;
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
