package io.evenkeel.model;

import io.evenkeel.model.value.LabelSelector;

/**
 * A controller of pods with a selector that default spreading uses.
 *
 * @param replicas how many pods it is to have
 */
public record WorkloadOwner(Kind kind, ObjectMeta meta, LabelSelector selector, int replicas)
        implements KubernetesObject {
    @Override
    public String kindName() {
        return kind.kindName();
    }

    /** The kinds of owner that default spreading knows; Jobs and DaemonSets are not among them. */
    public enum Kind {
        REPLICA_SET("ReplicaSet", "apps/v1"),
        STATEFUL_SET("StatefulSet", "apps/v1"),
        REPLICATION_CONTROLLER("ReplicationController", "v1");

        private final String kindName;
        private final String apiVersion;

        Kind(String kindName, String apiVersion) {
            this.kindName = kindName;
            this.apiVersion = apiVersion;
        }

        public String kindName() {
            return kindName;
        }

        /** Whether an owner reference points at this kind; like the reference, in this one version of its group. */
        public boolean isReferredToBy(OwnerReference reference) {
            return kindName.equals(reference.kind()) && apiVersion.equals(reference.apiVersion());
        }
    }
}
