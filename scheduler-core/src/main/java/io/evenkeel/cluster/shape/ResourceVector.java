package io.evenkeel.cluster.shape;

import io.evenkeel.model.value.Quantity;
import java.util.Arrays;
import java.util.Map;
import java.util.function.BiConsumer;

/** Amounts of resources by resource id, in the order of ids, zero amounts left out. */
public final class ResourceVector {
    public static final ResourceVector NONE = new ResourceVector(new int[0], new long[0]);

    private static final int FEW = 16;

    private final int[] resources;
    private final long[] amounts;
    private final int hash;

    private ResourceVector(int[] resources, long[] amounts) {
        this.resources = resources;
        this.amounts = amounts;
        this.hash = 31 * Arrays.hashCode(resources) + Arrays.hashCode(amounts);
    }

    /** CPU in thousandths, all else in whole units, rounded up as the API does. Names that are not counted are left out. */
    public static ResourceVector of(Map<String, Quantity> quantities, ResourceNames names) {
        Builder builder = new Builder(names, quantities.size());
        quantities.forEach(builder);
        return builder.build();
    }

    /** Takes amounts in by name and keeps them sorted by id: there are two to five of them, unless somebody means ill. */
    private static final class Builder implements BiConsumer<String, Quantity> {
        private final ResourceNames names;
        private final int[] resources;
        private final long[] amounts;
        private int size;
        private boolean isSorted = true;

        Builder(ResourceNames names, int capacity) {
            this.names = names;
            resources = new int[capacity];
            amounts = new long[capacity];
        }

        @Override
        public void accept(String name, Quantity quantity) {
            int known = names.find(name);
            long amount = known == ResourceNames.CPU ? quantity.milliValue() : quantity.value();
            if (amount == 0) {
                return;
            }
            int resource = known == ResourceNames.UNKNOWN ? names.countedId(name) : known;
            if (resource == ResourceNames.UNKNOWN || !names.isCounted(resource)) {
                return;
            }
            resources[size] = resource;
            amounts[size] = amount;
            size++;
            if (size <= FEW) {
                sinkLast();
            } else {
                isSorted &= resources[size - 2] < resource;
            }
        }

        private void sinkLast() {
            for (int at = size - 1; at > 0 && resources[at - 1] > resources[at]; at--) {
                swap(at - 1, at);
            }
        }

        private void swap(int one, int other) {
            int resource = resources[one];
            resources[one] = resources[other];
            resources[other] = resource;
            long amount = amounts[one];
            amounts[one] = amounts[other];
            amounts[other] = amount;
        }

        /** By numbers that hold an id, and behind it where it stands. */
        private void sort() {
            long[] order = new long[size];
            for (int i = 0; i < size; i++) {
                order[i] = (long) resources[i] << Integer.SIZE | i;
            }
            Arrays.sort(order);
            long[] unsorted = amounts.clone();
            for (int i = 0; i < size; i++) {
                resources[i] = (int) (order[i] >>> Integer.SIZE);
                amounts[i] = unsorted[(int) order[i]];
            }
        }

        ResourceVector build() {
            if (size == 0) {
                return NONE;
            }
            if (!isSorted) {
                sort();
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
        if (resources.length > FEW) {
            int at = Arrays.binarySearch(resources, resource);
            return at < 0 ? 0 : amounts[at];
        }
        for (int i = 0; i < resources.length; i++) {
            if (resources[i] == resource) {
                return amounts[i];
            }
        }
        return 0;
    }

    boolean isZero() {
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
