package io.evenkeel.cluster.shape;

import io.evenkeel.model.Pod;

/** Is told where a plugin fails to read what it wants to know of a pod. */
@FunctionalInterface
public interface UnreadableFacets {
    UnreadableFacets NOT_TOLD = (pod, kind, thrown) -> {};

    /**
     * The pod has the kind's value for what is unreadable. What is thrown here ends the reading of the pod, as if it had
     * never begun.
     *
     * @param thrown by the plugin's code, an error perhaps
     */
    void unreadable(Pod pod, FacetKind<?> kind, Throwable thrown);
}
