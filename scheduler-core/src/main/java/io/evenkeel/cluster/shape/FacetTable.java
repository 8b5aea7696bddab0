package io.evenkeel.cluster.shape;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Interns facets of one kind and counts who uses them.
 *
 * <p>A facet without a user stays for a while, because a workload's pods come one after the other and each
 * would otherwise pay for compiling it again; beyond so many of them, the one that lay idle longest goes. Large ones weigh
 * as much as many, and one that weighs more than a sixteenth of all idle ones goes at once, so that it pushes out no other.
 *
 * <pre>{@code
 *               id, value, users      idle   free ids
 * acquire(a)    #0 a 1
 * acquire(b)    #0 a 1   #1 b 1
 * release(b)    #0 a 1   #1 b 0       b
 * acquire(b)    #0 a 1   #1 b 1              the same facet as before, with all that was worked out for it
 * release(b), and 256 others lie idle after it:
 *               #0 a 1   ...          ...    1
 * acquire(c)    #0 a 1   #1 c 1              an id is used again, once nothing refers to it
 * }</pre>
 */
public final class FacetTable<T> {
    private static final int IN_NO_SHAPE = -1;
    private static final int PARTS = 16;

    private final FacetBuckets<T> facets = new FacetBuckets<>();
    private final Set<Facet<T>> idle = new LinkedHashSet<>();
    private final ArrayDeque<Integer> freeIds = new ArrayDeque<>();
    private final List<Consumer<Facet<T>>> onDrop = new ArrayList<>();
    private final List<Consumer<T>> onAdd = new ArrayList<>();
    private final int position;
    private final int mostIdle;
    private final ToIntFunction<T> weight;
    private int nextId;
    private int idleWeight;

    /** The facet that was found last: one pod after the other has the very same value of what none of them mentions. */
    private @Nullable Facet<T> latest;

    /** A table of facets that have this position in their shapes, and go with the last of these. */
    static <T> FacetTable<T> ofParts(int position) {
        return new FacetTable<>(position, 0, _ -> 1);
    }

    /**
     * @param mostIdle the weight of all idle ones
     * @param weight of an idle one: 1 as a rule, more for what is large
     */
    private FacetTable(int position, int mostIdle, ToIntFunction<T> weight) {
        this.position = position;
        this.mostIdle = mostIdle;
        this.weight = weight;
    }

    /** Makes a table for values outside shapes, where some weigh more than the rest. */
    static <T> FacetTable<T> weighing(int mostIdle, ToIntFunction<T> weight) {
        return new FacetTable<>(IN_NO_SHAPE, mostIdle, weight);
    }

    int position() {
        return position;
    }

    /** The facet of this value, with one more user. */
    Facet<T> acquire(T value) {
        Facet<T> facet = intern(value);
        acquire(facet);
        return facet;
    }

    /** The facet of a value that has this hash and is the one sought; null where there is none. */
    <S> @Nullable Facet<T> find(int hash, S sought, BiPredicate<S, T> isSought) {
        return facets.find(hash, sought, isSought);
    }

    /** The value that has this hash and is the one sought; null where no facet has it. So that none is made for most pods. */
    <S> @Nullable T known(int hash, S sought, BiPredicate<S, T> isSought) {
        Facet<T> facet = find(hash, sought, isSought);
        return facet == null ? null : facet.value();
    }

    /** Returns the facet of this value, without a user where it is new: a keeper calls {@link #acquire(Facet)} at once. */
    @SuppressWarnings("ReferenceEquality")
    Facet<T> intern(T value) {
        Facet<T> facet = latest;
        if (facet == null || facet.value() != value) {
            int hash = value.hashCode();
            facet = facets.find(value, hash);
            facet = facet != null ? facet : add(value, hash);
            latest = facet;
        }
        return facet;
    }

    private Facet<T> add(T value, int hash) {
        Facet<T> facet = new Facet<>(value, freeIds.isEmpty() ? nextId++ : freeIds.pop(), hash);
        onAdd.forEach(listener -> listener.accept(value));
        facets.add(facet);
        lieIdle(facet);
        return facet;
    }

    void acquire(Facet<T> facet) {
        if (facet.references() == 0 && !wake(facet)) {
            throw new IllegalStateException("dropped already: " + facet);
        }
        facet.acquire();
    }

    void release(Facet<T> facet) {
        int left = facet.release();
        if (left > 0) {
            return;
        }
        if (left < 0) {
            throw new IllegalStateException("released more often than acquired: " + facet);
        }
        lieIdle(facet);
        if (weight.applyAsInt(facet.value()) > Math.max(1, mostIdle / PARTS)) {
            drop(facet);
        }
        while (idleWeight > mostIdle) {
            Iterator<Facet<T>> eldestFirst = idle.iterator();
            drop(eldestFirst.next());
        }
    }

    private void lieIdle(Facet<T> facet) {
        idle.add(facet);
        idleWeight += weight.applyAsInt(facet.value());
    }

    /** False where it does not lie idle. */
    private boolean wake(Facet<T> facet) {
        boolean wasIdle = idle.remove(facet);
        if (wasIdle) {
            idleWeight -= weight.applyAsInt(facet.value());
        }
        return wasIdle;
    }

    /** Drops every facet without a user, as if it had lain idle for long. */
    void dropIdle() {
        List.copyOf(idle).forEach(this::drop);
    }

    /** Tells of each value that becomes a facet. */
    void onAdd(Consumer<T> listener) {
        onAdd.add(listener);
    }

    void onDrop(Consumer<Facet<T>> listener) {
        onDrop.add(listener);
    }

    int size() {
        return facets.size();
    }

    public Collection<Facet<T>> all() {
        return facets.all();
    }

    Set<Facet<T>> idle() {
        return idle;
    }

    Collection<Integer> freeIds() {
        return freeIds;
    }

    /** One more than the highest id ever given. */
    int end() {
        return nextId;
    }

    private void drop(Facet<T> facet) {
        latest = null;
        wake(facet);
        facets.remove(facet);
        freeIds.push(facet.id());
        onDrop.forEach(listener -> listener.accept(facet));
    }

    /**
     * Facets of one kind, found by their values; those whose hashes end alike hang one on the other.
     *
     * <p>A hash table of its own because every pod looks for a facet of each kind: finding one allocates nothing, and asks its
     * value at most once per facet of the same hash whether it is equal. That is all the code of a plugin's that is called: to
     * put a facet in and to take it out compares hashes and identities, so that what a value throws it throws before anything
     * has changed.
     */
    static final class FacetBuckets<T> {
        private static final int FIRST_BUCKETS = 16;

        /** As many as a power of two, and never fewer than facets. */
        private @Nullable Facet<T>[] buckets = buckets(FIRST_BUCKETS);

        private int size;

        /** The facet of an equal value, which has this hash; null where there is none. */
        @Nullable
        Facet<T> find(T value, int hash) {
            return find(hash, value, FacetBuckets::isEqual);
        }

        /** The facet with a value of this hash that is the one sought; null where there is none. */
        <S> @Nullable Facet<T> find(int hash, S sought, BiPredicate<S, T> isSought) {
            Facet<T> facet = buckets[bucket(hash)];
            while (facet != null && !(facet.hashCode() == hash && isSought.test(sought, facet.value()))) {
                facet = facet.nextInBucket;
            }
            return facet;
        }

        /** Many pods have the very same value of what they do not mention. */
        @SuppressWarnings("ReferenceEquality")
        private static <T> boolean isEqual(T sought, T value) {
            return sought == value || sought.equals(value);
        }

        /** Adds one with a value that is not there yet. */
        void add(Facet<T> facet) {
            if (size == buckets.length) {
                List<Facet<T>> all = list();
                buckets = buckets(2 * size);
                all.forEach(this::hang);
            }
            hang(facet);
            size++;
        }

        private void hang(Facet<T> facet) {
            int bucket = bucket(facet.hashCode());
            facet.nextInBucket = buckets[bucket];
            buckets[bucket] = facet;
        }

        /** Takes out one that is there. */
        void remove(Facet<T> facet) {
            int bucket = bucket(facet.hashCode());
            Facet<T> before = null;
            Facet<T> at = buckets[bucket];
            while (at != null && !at.equals(facet)) {
                before = at;
                at = at.nextInBucket;
            }
            if (at == null) {
                throw new IllegalStateException("not there: " + facet);
            }
            if (before == null) {
                buckets[bucket] = at.nextInBucket;
            } else {
                before.nextInBucket = at.nextInBucket;
            }
            at.nextInBucket = null;
            size--;
        }

        int size() {
            return size;
        }

        Collection<Facet<T>> all() {
            return Collections.unmodifiableList(list());
        }

        private List<Facet<T>> list() {
            List<Facet<T>> all = new ArrayList<>(size);
            for (Facet<T> first : buckets) {
                for (Facet<T> facet = first; facet != null; facet = facet.nextInBucket) {
                    all.add(facet);
                }
            }
            return all;
        }

        /** The upper half takes part, as hashes of small numbers and of short texts differ in few bits. */
        private int bucket(int hash) {
            return (hash ^ (hash >>> 16)) & (buckets.length - 1);
        }

        @SuppressWarnings("unchecked")
        private static <T> @Nullable Facet<T>[] buckets(int count) {
            return (Facet<T>[]) new Facet<?>[count];
        }
    }
}
