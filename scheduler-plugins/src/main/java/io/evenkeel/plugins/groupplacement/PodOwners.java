package io.evenkeel.plugins.groupplacement;

import io.evenkeel.cluster.index.ObjectStore;
import io.evenkeel.framework.GroupKey;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import java.util.Optional;
import java.util.OptionalInt;

/** The controllers of pods, and how many pods each is to have. */
final class PodOwners {
    /** Its pods are each for a node of its own. */
    private static final String DAEMON_SET = "DaemonSet";

    private final ObjectStore objects;

    PodOwners(ObjectStore objects) {
        this.objects = objects;
    }

    /** A ReplicaSet is one revision of its Deployment; others have pods of one revision waiting, but for moments. */
    static Optional<GroupKey> groupOf(Pod pod) {
        return pod.meta()
                .controller()
                .filter(owner -> !owner.kind().equals(DAEMON_SET))
                .map(owner -> new GroupKey(owner.kind(), pod.namespace(), owner.name(), owner.uid()));
    }

    /** How many pods the owner is to have; empty where it is not known. */
    OptionalInt replicasFor(Pod pod) {
        Optional<WorkloadOwner> owner = pod.meta().controller().flatMap(reference -> find(reference, pod.namespace()));
        return owner.isPresent() ? OptionalInt.of(owner.get().replicas()) : OptionalInt.empty();
    }

    private Optional<WorkloadOwner> find(OwnerReference reference, String namespace) {
        for (WorkloadOwner.Kind kind : WorkloadOwner.Kind.values()) {
            if (kind.isReferredToBy(reference)) {
                return objects.find(rowOf(kind), namespace + "/" + reference.name())
                        .filter(owner -> owner.meta().uid().equals(reference.uid()));
            }
        }
        return Optional.empty();
    }

    private static Kind<WorkloadOwner> rowOf(WorkloadOwner.Kind kind) {
        return switch (kind) {
            case REPLICA_SET -> Kinds.REPLICA_SET;
            case STATEFUL_SET -> Kinds.STATEFUL_SET;
            case REPLICATION_CONTROLLER -> Kinds.REPLICATION_CONTROLLER;
        };
    }
}
