package io.evenkeel.engine;

import io.evenkeel.model.KubernetesObject;

/** Something that happened in the cluster. */
public sealed interface ClusterEvent extends SchedulerEvent {

    /** An object came or changed. */
    record Put(KubernetesObject object) implements ClusterEvent {}

    /** An object went; only its kind, name and UID are read. */
    record Removed(KubernetesObject object) implements ClusterEvent {}
}
