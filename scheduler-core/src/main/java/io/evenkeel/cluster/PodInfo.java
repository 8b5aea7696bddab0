package io.evenkeel.cluster;

import io.evenkeel.cluster.shape.Facet;
import io.evenkeel.cluster.shape.PodShape;
import io.evenkeel.model.Pod;

/** A pod that waits to be placed, with its shape. */
public record PodInfo(Pod pod, Facet<PodShape> interned) {
    public PodShape shape() {
        return interned.value();
    }
}
