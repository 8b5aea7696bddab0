package io.evenkeel.plugins.placementpolicy.bound;

import java.util.Arrays;

/** Numbers, each once and in a slot of its own, and their order: nodes by the thousand share a handful. */
final class DistinctKeys {
    private static final int FREE = 0;

    private long[] keyOf = new long[16];
    private long[] sorted = new long[16];
    private int[] rankOf = new int[16];
    private int size;

    /** By hash the slot plus one. At most half of it is in use. */
    private int[] table = new int[32];

    void clear() {
        Arrays.fill(table, FREE);
        size = 0;
    }

    int size() {
        return size;
    }

    /** The slot of a key, which is a new one where it was not given before. */
    int slotOf(long key) {
        int at = placeOf(key);
        if (table[at] != FREE) {
            return table[at] - 1;
        }
        if (size == keyOf.length) {
            grow();
            at = placeOf(key);
        }
        keyOf[size] = key;
        table[at] = ++size;
        return size - 1;
    }

    /** Where in the table the key is, or would be. */
    private int placeOf(long key) {
        int mask = table.length - 1;
        int at = Long.hashCode(key * 0x9E3779B97F4A7C15L) & mask;
        while (table[at] != FREE && keyOf[table[at] - 1] != key) {
            at = (at + 1) & mask;
        }
        return at;
    }

    private void grow() {
        keyOf = Arrays.copyOf(keyOf, 2 * size);
        sorted = new long[2 * size];
        rankOf = new int[2 * size];
        table = new int[4 * size];
        for (int slot = 0; slot < size; slot++) {
            table[placeOf(keyOf[slot])] = slot + 1;
        }
    }

    /** Orders the keys there are. */
    void rank() {
        System.arraycopy(keyOf, 0, sorted, 0, size);
        Arrays.sort(sorted, 0, size);
        for (int slot = 0; slot < size; slot++) {
            rankOf[slot] = Arrays.binarySearch(sorted, 0, size, keyOf[slot]);
        }
    }

    /** How many smaller keys there are, once they are ordered. */
    int rankOf(int slot) {
        return rankOf[slot];
    }
}
