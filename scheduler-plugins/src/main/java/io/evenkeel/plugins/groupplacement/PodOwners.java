package io.evenkeel.plugins.groupplacement;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.index.ObjectStore;
import io.evenkeel.framework.change.ClusterChange;
import io.evenkeel.framework.group.GroupKey;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import java.util.List;
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

    /** Where the pod's owner is looked up, if it has one. */
    static List<String> nameOfOwner(Pod pod) {
        return pod.meta()
                .controller()
                .map(owner -> List.of(owner.kind(), pod.namespace(), owner.name()))
                .orElse(List.of());
    }

    /** Whether it is the pod's own owner that has come, gone or changed. */
    static boolean isAboutOwner(PodInfo waiting, ClusterChange change) {
        KubernetesObject changed = change.after().or(change::before).orElseThrow();
        return nameOfOwner(waiting.pod())
                .equals(List.of(
                        changed.kindName(),
                        changed.meta().namespace(),
                        changed.meta().name()));
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
