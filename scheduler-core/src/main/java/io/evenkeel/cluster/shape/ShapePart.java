package io.evenkeel.cluster.shape;

import io.evenkeel.config.feature.FeatureGates;
import io.evenkeel.model.Pod;

/** A kind of facets, and the table in which those of the pods are interned. */
record ShapePart<T>(FacetKind<T> kind, FacetTable<T> table) {
    Facet<T> intern(Pod pod, FeatureGates gates) {
        return table.intern(kind.read().apply(pod, gates));
    }

    Facet<T> of(PodShape shape) {
        return shape.facet(table);
    }

    void acquire(PodShape shape) {
        table.acquire(of(shape));
    }

    void release(PodShape shape) {
        table.release(of(shape));
    }
}
