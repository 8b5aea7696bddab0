package io.evenkeel.cluster.shape;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Values worked out for facets of one kind, found by facet id in one array access. An entry goes with its
 * facet; beyond the capacity the entry goes that was not asked for longest.
 *
 * <p>The eldest are looked for many at once, so that somebody with ever new facets makes nobody go through all of them each
 * time. Whichever of these has been asked for since is passed over; of the rest the first is the eldest still, as being
 * asked for makes an entry younger than all others.
 *
 * <p>What is worked out for a large facet is large. Such entries push out one another, never others: together they weigh no more than
 * the others, or there is one of them.
 *
 * <pre>{@code
 *                       last use          eldest
 * four, of capacity 4   a 1 b 2 c 3 d 4
 * get(e)                b 2 c 3 d 4 e 5   a goes, b and c are known to be next
 * get(b), get(f)        b 6 d 4 e 5 f 7   c goes, as b has been asked for
 * }</pre>
 */
public final class FacetCache<T, V> {
    /** How much of the cache the eldest are that are looked for at once: one part of so many. */
    private static final int PARTS = 16;

    /** Entries that weigh more are large. */
    private static final int MOST_USUAL = 16;

    private final Function<Facet<T>, V> compile;
    private final Consumer<V> discard;
    private final IntSupplier capacity;
    private final ToIntFunction<T> weight;
    private @Nullable Entry<V>[] entries = newEntries(16);
    private int size;
    private long clock;

    private final ArrayDeque<Aged<V>> eldest = new ArrayDeque<>();

    /** The weights of the large ones by facet id, as they came. */
    private final SequencedMap<Integer, Integer> large = new LinkedHashMap<>();

    private int largeWeight;

    /** An entry as old as it was when the eldest were looked for. */
    private record Aged<V>(int id, Entry<V> entry, long lastUse) {}

    private static final class Entry<V> {
        final V value;
        long lastUse;

        Entry(V value) {
            this.value = value;
        }
    }

    /**
     * @param capacity how many entries are kept at most
     * @param compile works an entry out
     * @param discard gives back what an entry holds
     */
    public FacetCache(FacetTable<T> table, int capacity, Function<Facet<T>, V> compile, Consumer<V> discard) {
        this(table, () -> capacity, _ -> 1, compile, discard);
    }

    /**
     * A cache of entries that may be large.
     *
     * @param capacity how much entries weigh at most
     * @param weight of a facet's entry: 1 as a rule
     */
    public FacetCache(
            FacetTable<T> table,
            int capacity,
            ToIntFunction<T> weight,
            Function<Facet<T>, V> compile,
            Consumer<V> discard) {
        this(table, () -> capacity, weight, compile, discard);
    }

    /** @param capacity how many entries are kept at most, asked whenever one is added */
    public FacetCache(FacetTable<T> table, IntSupplier capacity, Function<Facet<T>, V> compile, Consumer<V> discard) {
        this(table, capacity, _ -> 1, compile, discard);
    }

    private FacetCache(
            FacetTable<T> table,
            IntSupplier capacity,
            ToIntFunction<T> weight,
            Function<Facet<T>, V> compile,
            Consumer<V> discard) {
        this.weight = weight;
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
        eldest.clear();
        for (int id = 0; id < entries.length; id++) {
            remove(id);
        }
    }

    private Entry<V> add(Facet<T> facet) {
        int added = weight.applyAsInt(facet.value());
        if (added > MOST_USUAL) {
            while (!large.isEmpty() && largeWeight + added > capacity.getAsInt()) {
                remove(large.firstEntry().getKey());
            }
        } else {
            while (size > 0 && size >= capacity.getAsInt()) {
                removeEldest();
            }
        }
        Entry<V> entry = new Entry<>(compile.apply(facet));
        if (facet.id() >= entries.length) {
            entries = Arrays.copyOf(entries, Math.max(facet.id() + 1, entries.length * 2));
        }
        entries[facet.id()] = entry;
        if (added > MOST_USUAL) {
            large.put(facet.id(), added);
            largeWeight += added;
        } else {
            size++;
        }
        return entry;
    }

    private void removeEldest() {
        boolean removed = false;
        while (!removed) {
            if (eldest.isEmpty()) {
                findEldest();
            }
            Aged<V> next = eldest.remove();
            if (entries[next.id] == next.entry && next.entry.lastUse == next.lastUse) {
                remove(next.id);
                removed = true;
            }
        }
    }

    private void findEldest() {
        List<Aged<V>> all = new ArrayList<>(size);
        for (int id = 0; id < entries.length; id++) {
            Entry<V> entry = entries[id];
            if (entry != null && !large.containsKey(id)) {
                all.add(new Aged<>(id, entry, entry.lastUse));
            }
        }
        all.sort(Comparator.comparingLong(Aged::lastUse));
        eldest.addAll(all.subList(0, Math.max(1, size / PARTS)));
    }

    private void remove(int id) {
        Entry<V> entry = id < entries.length ? entries[id] : null;
        if (entry != null) {
            entries[id] = null;
            Integer ofLarge = large.remove(id);
            if (ofLarge == null) {
                size--;
            } else {
                largeWeight -= ofLarge;
            }
            discard.accept(entry.value);
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <V> @Nullable Entry<V>[] newEntries(int length) {
        return new Entry[length];
    }
}
