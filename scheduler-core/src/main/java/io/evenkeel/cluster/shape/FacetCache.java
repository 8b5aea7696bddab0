package io.evenkeel.cluster.shape;

import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Values worked out for facets of one kind, found by facet id in one array access. An entry goes with its
 * facet; beyond the capacity the entry goes that was not asked for longest.
 */
public final class FacetCache<T, V> {
    private final Function<Facet<T>, V> compile;
    private final Consumer<V> discard;
    private final IntSupplier capacity;
    private @Nullable Entry<V>[] entries = newEntries(16);
    private int size;
    private long clock;

    private static final class Entry<V> {
        final V value;
        long lastUse;

        Entry(V value) {
            this.value = value;
        }
    }

    /**
     * A cache for the facets of a table.
     *
     * @param capacity how many entries are kept at most
     * @param compile works an entry out
     * @param discard gives back what an entry holds
     */
    public FacetCache(FacetTable<T> table, int capacity, Function<Facet<T>, V> compile, Consumer<V> discard) {
        this(table, () -> capacity, compile, discard);
    }

    /**
     * A cache whose capacity may change.
     *
     * @param capacity how many entries are kept at most, asked whenever one is added
     */
    public FacetCache(FacetTable<T> table, IntSupplier capacity, Function<Facet<T>, V> compile, Consumer<V> discard) {
        this.compile = compile;
        this.discard = discard;
        this.capacity = capacity;
        table.onDrop(facet -> remove(facet.id()));
    }

    public V get(Facet<T> facet) {
        int id = facet.id();
        Entry<V> entry = id < entries.length ? entries[id] : null;
        if (entry == null) {
            entry = add(facet);
        }
        entry.lastUse = ++clock;
        return entry.value;
    }

    /** Forgets everything, because something that all entries were worked out from has changed. */
    public void clear() {
        for (int id = 0; id < entries.length; id++) {
            remove(id);
        }
    }

    private Entry<V> add(Facet<T> facet) {
        while (size > 0 && size >= capacity.getAsInt()) {
            removeLeastRecentlyUsed();
        }
        Entry<V> entry = new Entry<>(compile.apply(facet));
        if (facet.id() >= entries.length) {
            entries = Arrays.copyOf(entries, Math.max(facet.id() + 1, entries.length * 2));
        }
        entries[facet.id()] = entry;
        size++;
        return entry;
    }

    private void removeLeastRecentlyUsed() {
        int oldest = -1;
        long oldestUse = Long.MAX_VALUE;
        for (int id = 0; id < entries.length; id++) {
            Entry<V> entry = entries[id];
            if (entry != null && entry.lastUse < oldestUse) {
                oldest = id;
                oldestUse = entry.lastUse;
            }
        }
        remove(oldest);
    }

    private void remove(int id) {
        Entry<V> entry = id >= 0 && id < entries.length ? entries[id] : null;
        if (entry != null) {
            entries[id] = null;
            size--;
            discard.accept(entry.value);
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <V> @Nullable Entry<V>[] newEntries(int length) {
        return new Entry[length];
    }
}
