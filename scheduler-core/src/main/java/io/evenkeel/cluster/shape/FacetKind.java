package io.evenkeel.cluster.shape;

import io.evenkeel.config.feature.FeatureGates;
import io.evenkeel.model.Pod;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * One of the things that are read of a pod, such as its tolerations. A plugin brings a kind of its own as a constant, and
 * registers it where it is made: {@link PodShapes#register}.
 *
 * @param name for messages
 * @param read what a pod has of it, or has while these gates are on: immutable, and equal where nothing that is worked
 *     out from it differs
 */
public record FacetKind<T>(String name, BiFunction<Pod, FeatureGates, T> read) {

    /** One that no gate concerns. */
    public static <T> FacetKind<T> of(String name, Function<Pod, T> read) {
        return new FacetKind<>(name, (pod, _) -> read.apply(pod));
    }
}
