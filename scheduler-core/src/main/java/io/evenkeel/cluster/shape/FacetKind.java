package io.evenkeel.cluster.shape;

import io.evenkeel.config.FeatureGates;
import io.evenkeel.model.Pod;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * One of the things that are read of a pod, such as its tolerations. A plugin brings a kind of its own as a constant, and
 * registers it where it is made: {@link PodShapes#register}. Equality is identity.
 */
public final class FacetKind<T> {
    private final String name;
    private final BiFunction<Pod, FeatureGates, T> read;
    private final Optional<T> unreadable;
    private final Class<?> broughtBy;

    private FacetKind(String name, Optional<T> unreadable, BiFunction<Pod, FeatureGates, T> read, Class<?> broughtBy) {
        this.name = name;
        this.broughtBy = broughtBy;
        this.unreadable = unreadable;
        this.read = read;
    }

    /**
     * A plugin's kind, which no gate concerns.
     *
     * @param name for messages
     * @param unreadable what a pod has of it where reading it throws, or hashing or comparing what was read
     * @param read what a pod has of it: immutable, and equal where nothing that is worked out from it differs
     */
    public static <T> FacetKind<T> of(String name, T unreadable, Function<Pod, T> read) {
        return plugins(name, unreadable, (pod, _) -> read.apply(pod), read);
    }

    /** Makes a kind that is read otherwise while some gate is on. */
    public static <T> FacetKind<T> ofGated(String name, T unreadable, BiFunction<Pod, FeatureGates, T> read) {
        return plugins(name, unreadable, read, read);
    }

    private static <T> FacetKind<T> plugins(
            String name, T unreadable, BiFunction<Pod, FeatureGates, T> read, Object written) {
        return new FacetKind<>(
                name,
                Optional.of(Objects.requireNonNull(unreadable, "unreadable")),
                read,
                written.getClass().getNestHost());
    }

    /** One of the scheduler's own: every pod can be read. */
    static <T> FacetKind<T> own(String name, BiFunction<Pod, FeatureGates, T> read) {
        return new FacetKind<>(name, Optional.empty(), read, FacetKind.class);
    }

    public String name() {
        return name;
    }

    /** The class that brings it, as messages name it. */
    public String broughtBy() {
        return broughtBy.getName();
    }

    T read(Pod pod, FeatureGates gates) {
        return read.apply(pod, gates);
    }

    /** Of a plugin's kind what stands for all that it fails to read. */
    Optional<T> unreadable() {
        return unreadable;
    }
}
