package io.evenkeel.cel;

import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A map in which each key that is looked up stands for something: one that is missing, for the value of all others. */
public final class CelMap extends AbstractMap<String, Object> {
    private final Map<String, ?> entries;
    private final Object others;

    public CelMap(Map<String, ?> entries, Object others) {
        this.entries = Map.copyOf(entries);
        this.others = others;
    }

    @Override
    public Object get(@Nullable Object key) {
        Object value = key instanceof String ? entries.get(key) : null;
        return value == null ? others : value;
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return key instanceof String && entries.containsKey(key);
    }

    @Override
    @SuppressWarnings("unchecked")
    public Set<Entry<String, Object>> entrySet() {
        return ((Map<String, Object>) entries).entrySet();
    }
}
