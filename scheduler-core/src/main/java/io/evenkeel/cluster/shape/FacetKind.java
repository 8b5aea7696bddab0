package io.evenkeel.cluster.shape;

import io.evenkeel.config.FeatureGates;
import io.evenkeel.model.Pod;
import java.util.function.BiFunction;

/**
 * One of the things that are read of a pod, such as its tolerations. A plugin brings a kind of its own as a constant, and
 * registers it where it is made: {@link PodShapes#register}. Equality is identity.
 */
public final class FacetKind<T> {
    private final String name;
    private final BiFunction<Pod, FeatureGates, T> read;

    /**
     * A kind that every pod can be read for.
     *
     * @param name for messages
     * @param read what a pod has of it: immutable, and equal where nothing that is worked out from it differs
     */
    public FacetKind(String name, BiFunction<Pod, FeatureGates, T> read) {
        this.name = name;
        this.read = read;
    }

    public String name() {
        return name;
    }

    T read(Pod pod, FeatureGates gates) {
        return read.apply(pod, gates);
    }
}
