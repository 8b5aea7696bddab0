package io.evenkeel.cluster.node;

import java.util.Arrays;

/**
 * Counts or sums by int key, in open addressing with linear probing. A key whose count falls to zero is gone: entries are
 * moved back over it, so there are no tombstones, and the map shrinks with what it holds.
 */
public final class IntLongMap {
    /** The one key that cannot be counted. */
    public static final int FREE = Integer.MIN_VALUE;

    private static final int FEWEST_SLOTS = 2;

    private int[] keys;
    private long[] counts;
    private int size;

    public IntLongMap() {
        keys = new int[FEWEST_SLOTS];
        counts = new long[FEWEST_SLOTS];
        Arrays.fill(keys, FREE);
    }

    /** The number of keys with a count other than zero. */
    int size() {
        return size;
    }

    public long get(int key) {
        int slot = slotOf(key);
        return keys[slot] == key ? counts[slot] : 0;
    }

    /** Adds to the count of a key and returns what it is now. */
    public long add(int key, long delta) {
        if (delta == 0) {
            return get(key);
        }
        int slot = slotOf(key);
        if (keys[slot] == FREE) {
            keys[slot] = key;
            counts[slot] = delta;
            if (++size > keys.length * 5 / 8) {
                resize(keys.length * 2);
            }
            return delta;
        }
        counts[slot] += delta;
        long now = counts[slot];
        if (now == 0) {
            removeAt(slot);
            if (keys.length > FEWEST_SLOTS && size < keys.length / 8) {
                resize(keys.length / 2);
            }
        }
        return now;
    }

    /** The number of slots; {@link #keyAt} is {@link #FREE} at free ones. */
    public int slots() {
        return keys.length;
    }

    public int keyAt(int slot) {
        return keys[slot];
    }

    public long countAt(int slot) {
        return counts[slot];
    }

    private int slotOf(int key) {
        int slot = home(key);
        while (keys[slot] != key && keys[slot] != FREE) {
            slot = (slot + 1) & (keys.length - 1);
        }
        return slot;
    }

    private int home(int key) {
        int mixed = key * 0x9E3779B9;
        return (mixed ^ (mixed >>> 15)) & (keys.length - 1);
    }

    private void removeAt(int removed) {
        int hole = removed;
        int slot = hole;
        while (true) {
            slot = (slot + 1) & (keys.length - 1);
            if (keys[slot] == FREE) {
                break;
            }
            int distanceFromHome = (slot - home(keys[slot])) & (keys.length - 1);
            int distanceFromHole = (slot - hole) & (keys.length - 1);
            if (distanceFromHome >= distanceFromHole) {
                keys[hole] = keys[slot];
                counts[hole] = counts[slot];
                hole = slot;
            }
        }
        keys[hole] = FREE;
        size--;
    }

    private void resize(int slots) {
        int[] oldKeys = keys;
        long[] oldCounts = counts;
        keys = new int[slots];
        counts = new long[slots];
        Arrays.fill(keys, FREE);
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != FREE) {
                int slot = slotOf(oldKeys[i]);
                keys[slot] = oldKeys[i];
                counts[slot] = oldCounts[i];
            }
        }
    }
}
