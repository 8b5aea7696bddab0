package io.evenkeel.model;

import io.evenkeel.model.value.Labels;

/**
 * A pod.
 *
 * @since 0.1
 */
public record Pod(ObjectMeta meta, PodSpec spec, PodStatus status) implements KubernetesObject {

    /** How far a pod is on its way out, the farthest last. */
    public enum Departure {
        STAYS,
        /** Marked as a target of disruption, and told to go soon. */
        IS_DISRUPTED,
        IS_DELETED
    }

    @Override
    public String kindName() {
        return "Pod";
    }

    public String namespace() {
        return meta.namespace();
    }

    public String name() {
        return meta.name();
    }

    public Labels labels() {
        return meta.labels();
    }

    /** {@code namespace/name}. */
    public String key() {
        return meta.key();
    }

    public Departure departure() {
        if (meta.terminating()) {
            return Departure.IS_DELETED;
        }
        return status.isDisrupted() ? Departure.IS_DISRUPTED : Departure.STAYS;
    }

    public boolean isPlaced() {
        return !spec.nodeName().isEmpty();
    }
}
