package io.evenkeel.framework.change;

/**
 * What can change so that a pod which fitted nowhere may fit now. Heartbeats, conditions, annotations and images are
 * not among them: no filter reads them.
 */
public enum ChangeKind {
    NODE_ADDED("NodeAdd"),
    NODE_DELETED("NodeDelete"),
    NODE_ALLOCATABLE("NodeUpdateNodeAllocatable"),
    NODE_LABELS("NodeUpdateNodeLabel"),
    /** Taints, or {@code spec.unschedulable}. */
    NODE_TAINTS("NodeUpdateNodeTaint"),
    NODE_DECLARED_FEATURES("NodeUpdateNodeDeclaredFeature"),

    /** A pod is on a node that was not there before: placed by whomever, or assumed. */
    ASSIGNED_POD_ADDED("AssignedPodAdd"),
    ASSIGNED_POD_LABELS("AssignedPodUpdatePodLabel"),
    ASSIGNED_POD_SCALED_DOWN("AssignedPodUpdatePodScaleDown"),
    ASSIGNED_POD_TOLERATIONS("AssignedPodUpdatePodToleration"),
    /** A pod on a node is being deleted; it still has its place but counts for spreading no more. */
    ASSIGNED_POD_TERMINATING("AssignedPodUpdate"),
    /** Anything else about a pod on a node: it grew, its owner changed. */
    ASSIGNED_POD_OTHER("AssignedPodUpdate"),
    /** A pod on a node is gone or has run to its end. */
    ASSIGNED_POD_DELETED("AssignedPodDelete"),

    /** The waiting pod's own labels. */
    OWN_LABELS("UnschedulablePodUpdatePodLabel"),
    OWN_SCALED_DOWN("UnschedulablePodUpdatePodScaleDown"),
    OWN_TOLERATIONS("UnschedulablePodUpdatePodToleration"),
    /** The last of the waiting pod's scheduling gates went. */
    OWN_GATES_GONE("UnschedulablePodUpdatePodSchedulingGatesEliminated"),
    /** Anything else about the waiting pod. */
    OWN_OTHER("UnschedulablePodUpdate"),

    NAMESPACE_ADDED("NamespaceAdd"),
    NAMESPACE_LABELS("NamespaceUpdate"),
    NAMESPACE_DELETED("NamespaceDelete"),

    SERVICE_PUT("ServiceUpdate"),
    SERVICE_REMOVED("ServiceDelete"),
    REPLICA_SET_PUT("ReplicaSetUpdate"),
    REPLICA_SET_REMOVED("ReplicaSetDelete"),
    STATEFUL_SET_PUT("StatefulSetUpdate"),
    STATEFUL_SET_REMOVED("StatefulSetDelete"),
    REPLICATION_CONTROLLER_PUT("ReplicationControllerUpdate"),
    REPLICATION_CONTROLLER_REMOVED("ReplicationControllerDelete"),

    /** An object of a kind that only plugins deal with is new; see {@link ClusterChange#after(Class)}. */
    PLUGIN_OBJECT_ADDED("Add"),
    PLUGIN_OBJECT_UPDATED("Update"),
    PLUGIN_OBJECT_DELETED("Delete");

    private final String label;

    ChangeKind(String label) {
        this.label = label;
    }

    /** The value of metrics' label {@code event}: the reference's for what it knows, one of its form for the others. */
    public String label() {
        return label;
    }
}
