package io.evenkeel.cluster.shape;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Facets of one kind, found by their values; those whose hashes end alike hang one on the other.
 *
 * <p>A hash table of its own because every pod looks for a facet of each kind: finding one allocates nothing, and asks its
 * value at most once per facet of the same hash whether it is equal. That is all the code of a plugin's that is called: to
 * put a facet in and to take it out compares hashes and identities, so that what a value throws it throws before anything
 * has changed.
 */
final class FacetBuckets<T> {
    private static final int FIRST_BUCKETS = 16;

    /** As many as a power of two, and never fewer than facets. */
    private @Nullable Facet<T>[] buckets = buckets(FIRST_BUCKETS);

    private int size;

    /** The facet of an equal value, which has this hash; null where there is none. */
    @Nullable
    Facet<T> find(T value, int hash) {
        Facet<T> facet = buckets[bucket(hash)];
        while (facet != null && !(facet.hashCode() == hash && isEqual(value, facet.value()))) {
            facet = facet.nextInBucket;
        }
        return facet;
    }

    /** Returns the facet with a value of this hash that is the one sought. */
    Optional<Facet<T>> find(int hash, Predicate<T> isSought) {
        Facet<T> facet = buckets[bucket(hash)];
        while (facet != null && !(facet.hashCode() == hash && isSought.test(facet.value()))) {
            facet = facet.nextInBucket;
        }
        return Optional.ofNullable(facet);
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
