package io.evenkeel.cluster.shape;

import io.evenkeel.config.feature.FeatureGates;
import io.evenkeel.model.Pod;
import java.util.Objects;
import java.util.Optional;

/** A kind of facets, and the table that interns them. */
record ShapePart<T>(FacetKind<T> kind, FacetTable<T> table) {
    Facet<T> intern(Pod pod, FeatureGates gates, UnreadableFacets faults) {
        Optional<T> unreadable = kind.unreadable();
        if (unreadable.isEmpty()) {
            return table.intern(kind.read(pod, gates));
        }
        try {
            return table.intern(Objects.requireNonNull(kind.read(pod, gates), "the plugin has answered null"));
        } catch (Throwable thrown) {
            faults.unreadable(pod, kind, thrown);
            return table.unreadable(unreadable.get());
        }
    }

    Facet<T> of(PodShape shape) {
        return shape.facet(table);
    }

    /**
     * Whether both have the same of it, by two tables of this kind. What is unreadable may have been readable beside other
     * values, which it is not compared with here.
     */
    boolean isAlike(PodShape kept, PodShape read) {
        Facet<T> one = of(kept);
        Facet<T> other = of(read);
        return one.isUnreadable() || other.isUnreadable() || isEqual(one.value(), other.value());
    }

    /** Things that cannot be compared count as equal. That the JVM fails is no fault of the plugin's, and goes on. */
    private boolean isEqual(T one, T other) {
        try {
            return one.equals(other);
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError thrown) {
            if (kind.unreadable().isEmpty()) {
                throw thrown;
            }
            return true;
        }
    }

    void acquire(PodShape shape) {
        table.acquire(of(shape));
    }

    void release(PodShape shape) {
        table.release(of(shape));
    }
}
