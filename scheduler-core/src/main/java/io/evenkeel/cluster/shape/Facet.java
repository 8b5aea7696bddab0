package io.evenkeel.cluster.shape;

/**
 * One of the things that scheduling reads of a pod, interned: pods with equal tolerations have the same facet of
 * tolerations. Whatever is worked out for a facet is worked out once.
 *
 * <p>Equality is identity. The id is small and is used again after the facet is gone.
 */
public final class Facet<T> {
    private final T value;
    private final int id;
    private int references;

    Facet(T value, int id) {
        this.value = value;
        this.id = id;
    }

    public T value() {
        return value;
    }

    public int id() {
        return id;
    }

    /** How many use it. */
    public int references() {
        return references;
    }

    void acquire() {
        references++;
    }

    int release() {
        return --references;
    }

    @Override
    public String toString() {
        return "#" + id + " " + value;
    }
}
