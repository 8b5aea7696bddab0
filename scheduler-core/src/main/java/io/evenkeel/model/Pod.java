package io.evenkeel.model;

import io.evenkeel.model.value.Labels;

/** A pod. */
public record Pod(ObjectMeta meta, PodSpec spec, PodStatus status) implements KubernetesObject {
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

    public boolean isPlaced() {
        return !spec.nodeName().isEmpty();
    }
}
