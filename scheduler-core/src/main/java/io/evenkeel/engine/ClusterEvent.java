package io.evenkeel.engine;

import io.evenkeel.model.KubernetesObject;

/** Something that happened in the cluster. */
public sealed interface ClusterEvent {

    /** An object came or changed. */
    record Put(KubernetesObject object) implements ClusterEvent {}

    /** An object went; only its kind and name are read. */
    record Removed(KubernetesObject object) implements ClusterEvent {}
}
