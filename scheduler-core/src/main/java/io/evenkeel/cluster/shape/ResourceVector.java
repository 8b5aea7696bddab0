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
        this.hash = hash(resources, amounts, resources.length);
    }

    private static int hash(int[] resources, long[] amounts, int size) {
        int hash = 1;
        for (int i = 0; i < size; i++) {
            hash = 31 * (31 * hash + resources[i]) + Long.hashCode(amounts[i]);
        }
        return hash;
    }

    /** CPU in thousandths, all else in whole units, rounded up as the API does. Names that are not counted are left out. */
    public static ResourceVector of(Map<String, Quantity> quantities, ResourceNames names) {
        Builder builder = new Builder(names, quantities.size());
        quantities.forEach(builder);
        return builder.build();
    }

    /**
     * Amounts that are few, one after the other, to be compared with vectors that there are: most pods ask for what others ask
     * for, and none is made for them.
     */
    static final class Probe {
        private final Builder builder;

        Probe(ResourceNames names) {
            builder = new Builder(names, FEW);
        }

        /** Holds these from now on, unless there are too many. */
        boolean holds(Map<String, Quantity> quantities) {
            builder.size = 0;
            if (quantities.size() > FEW) {
                return false;
            }
            quantities.forEach(builder);
            return true;
        }

        boolean isLike(ResourceVector vector) {
            int size = builder.size;
            return size == vector.resources.length
                    && Arrays.equals(vector.resources, 0, size, builder.resources, 0, size)
                    && Arrays.equals(vector.amounts, 0, size, builder.amounts, 0, size);
        }

        long amountOf(int resource) {
            for (int i = 0; i < builder.size; i++) {
                if (builder.resources[i] == resource) {
                    return builder.amounts[i];
                }
            }
            return 0;
        }

        /** The hash of a vector that it is like. */
        int hash() {
            return ResourceVector.hash(builder.resources, builder.amounts, builder.size);
        }
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
