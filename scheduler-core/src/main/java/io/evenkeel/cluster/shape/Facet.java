package io.evenkeel.cluster.shape;

import org.jspecify.annotations.Nullable;

/**
 * One of the things that scheduling reads of a pod, interned: pods with equal tolerations have the same facet of
 * tolerations. Whatever is worked out for a facet is worked out once.
 *
 * <p>Equality is identity. The id is small and is used again after the facet is gone.
 */
public final class Facet<T> {
    private final T value;
    private final int id;
    private final int hash;
    private int references;
    /** In {@link FacetBuckets}. */
    @Nullable
    Facet<T> nextInBucket;

    /** @param hash of the value, by which it is found; it is not asked for again */
    Facet(T value, int id, int hash) {
        this.value = value;
        this.id = id;
        this.hash = hash;
    }

    public T value() {
        return value;
    }

    int id() {
        return id;
    }

    public int references() {
        return references;
    }

    void acquire() {
        references++;
    }

    int release() {
        return --references;
    }

    /** Equality stays identity. */
    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return "#" + id + " " + value;
    }
}
