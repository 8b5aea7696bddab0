package io.evenkeel.model;

import java.util.Set;

/** The annotations that scheduling reads, about volumes, devices and groups of pods, and about who goes first. */
public final class Annotations {
    /** Marks a claim that is fully bound to its volume on both sides; whatever its value. */
    public static final String BIND_COMPLETED = "pv.kubernetes.io/bind-completed";

    /** On a volume that was bound to a claim by a controller, and not by its user; whatever its value. */
    public static final String BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";

    /** On a claim, the node near which its volume is to be made. */
    public static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

    /** On volumes and claims, the storage class as it was written before there was a field for it; it goes before the field. */
    public static final String STORAGE_CLASS = "volume.beta.kubernetes.io/storage-class";

    /** On a CSINode, which plugins of former Kubernetes a CSI driver stands in for on the node, parted by commas. */
    public static final String MIGRATED_PLUGINS = "storage.alpha.kubernetes.io/migrated-plugins";

    /** On a group of pods or on a pod, how its group is to be placed. */
    public static final String GROUP_PLACEMENT = "evenkeel.io/group-placement";

    /** On a pod, the cost of deleting it: a ReplicaSet that is scaled down deletes pods of lower cost first. */
    public static final String DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";

    /** On a pod, the cost that we wrote: where it is another than the cost itself, somebody else wrote that. */
    public static final String OWN_DELETION_COST = "evenkeel.io/pod-deletion-cost";

    /** On a ResourceClaim that was made for the extended resources of a pod. */
    public static final String EXTENDED_RESOURCE_CLAIM = "resource.kubernetes.io/extended-resource-claim";

    public static final Set<String> ALL = Set.of(
            BIND_COMPLETED,
            BOUND_BY_CONTROLLER,
            SELECTED_NODE,
            STORAGE_CLASS,
            MIGRATED_PLUGINS,
            GROUP_PLACEMENT,
            DELETION_COST,
            OWN_DELETION_COST,
            EXTENDED_RESOURCE_CLAIM);

    private Annotations() {}
}
