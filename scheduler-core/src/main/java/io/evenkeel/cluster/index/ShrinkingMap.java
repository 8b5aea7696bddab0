package io.evenkeel.cluster.index;

import java.util.AbstractMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A hash map that gives up its table once most of what was in it is gone. Others keep room for as many as there ever were, and
 * how many that are is up to whoever writes objects.
 */
public final class ShrinkingMap<K, V> extends AbstractMap<K, V> {
    private static final int FEW = 1 << 10;
    private static final int PART = 8;

    private Map<K, V> entries = new HashMap<>();
    private int most;

    @Override
    public int size() {
        return entries.size();
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return entries.containsKey(key);
    }

    @Override
    public @Nullable V get(@Nullable Object key) {
        return entries.get(key);
    }

    @Override
    public @Nullable V put(K key, V value) {
        V before = entries.put(key, value);
        most = Math.max(most, entries.size());
        return before;
    }

    @Override
    public @Nullable V remove(@Nullable Object key) {
        V before = entries.remove(key);
        if (most > FEW && entries.size() < most / PART) {
            entries = new HashMap<>(entries);
            most = entries.size();
        }
        return before;
    }

    /** To be read only: what is removed by way of it leaves its room behind. */
    @Override
    public Set<Map.Entry<K, V>> entrySet() {
        return entries.entrySet();
    }
}
