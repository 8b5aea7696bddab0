package io.evenkeel.model.value;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * An immutable set of labels, sorted by key, with its hash computed once.
 *
 * <p>Label sets are compared and projected far more often than they are made, so they are two parallel arrays rather
 * than a map: equality is two array comparisons, a look-up is a binary search without allocation.
 *
 * @since 0.1
 */
public final class Labels {
    public static final Labels EMPTY = new Labels(new String[0], new String[0]);

    private final String[] keys;
    private final String[] values;
    private final int hash;

    private Labels(String[] keys, String[] values) {
        this.keys = keys;
        this.values = values;
        this.hash = 31 * Arrays.hashCode(keys) + Arrays.hashCode(values);
    }

    public static Labels of(Map<String, String> labels) {
        if (labels.isEmpty()) {
            return EMPTY;
        }
        TreeMap<String, String> sorted = new TreeMap<>(labels);
        return new Labels(
                sorted.keySet().toArray(String[]::new), sorted.values().toArray(String[]::new));
    }

    public static Labels of(String... keysAndValues) {
        if (keysAndValues.length % 2 != 0) {
            throw new IllegalArgumentException("a key without a value in " + Arrays.toString(keysAndValues));
        }
        TreeMap<String, String> sorted = new TreeMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            sorted.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return of(sorted);
    }

    public int size() {
        return keys.length;
    }

    public String keyAt(int index) {
        return keys[index];
    }

    public String valueAt(int index) {
        return values[index];
    }

    /** The index of the key, or a negative number where it is absent. */
    public int find(String key) {
        return Arrays.binarySearch(keys, key);
    }

    public boolean has(String key) {
        return find(key) >= 0;
    }

    public boolean has(String key, String value) {
        int index = find(key);
        return index >= 0 && values[index].equals(value);
    }

    /** Whether each of those labels is here with the same value. */
    public boolean hasAll(Labels others) {
        for (int i = 0; i < others.keys.length; i++) {
            if (!has(others.keys[i], others.values[i])) {
                return false;
            }
        }
        return true;
    }

    public String getOrDefault(String key, String fallback) {
        int index = find(key);
        return index >= 0 ? values[index] : fallback;
    }

    /** Returns the labels with keys that pass; these themselves where all do. */
    public Labels retain(Predicate<String> keyTest) {
        int kept = 0;
        for (String key : keys) {
            kept += keyTest.test(key) ? 1 : 0;
        }
        if (kept == keys.length) {
            return this;
        }
        if (kept == 0) {
            return EMPTY;
        }
        String[] keptKeys = new String[kept];
        String[] keptValues = new String[kept];
        for (int i = keys.length - 1; i >= 0; i--) {
            if (keyTest.test(keys[i])) {
                kept--;
                keptKeys[kept] = keys[i];
                keptValues[kept] = values[i];
            }
        }
        return new Labels(keptKeys, keptValues);
    }

    public Labels with(String key, String value) {
        Map<String, String> all = asMap();
        all.put(key, value);
        return of(all);
    }

    /** Returns these and the others; where both have a key, the others' value counts. */
    public Labels withAll(Labels others) {
        Map<String, String> all = asMap();
        all.putAll(others.asMap());
        return of(all);
    }

    /** A mutable copy in key order. */
    public Map<String, String> asMap() {
        Map<String, String> all = new TreeMap<>();
        for (int i = 0; i < keys.length; i++) {
            all.put(keys[i], values[i]);
        }
        return all;
    }

    @Override
    public boolean equals(Object other) {
        if (this == other) {
            return true;
        }
        return other instanceof Labels that
                && hash == that.hash
                && Arrays.equals(keys, that.keys)
                && Arrays.equals(values, that.values);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return asMap().toString();
    }
}
