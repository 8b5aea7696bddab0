package io.evenkeel.plugins.volumes.binding;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.framework.change.ChangeKind;
import io.evenkeel.framework.change.ClusterChange;
import io.evenkeel.framework.change.Hint;
import io.evenkeel.framework.change.WakeUp;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.storage.CsiDriver;
import io.evenkeel.model.storage.CsiNode;
import io.evenkeel.model.storage.CsiStorageCapacity;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.StorageClass;
import io.evenkeel.model.value.Quantity;
import io.evenkeel.plugins.volumes.KnownVolumes;
import java.util.List;
import java.util.Optional;

/** What may help a pod whose volumes kept it from nodes. */
final class BindingHints {
    static final List<WakeUp> ALL = List.of(
            WakeUp.on(
                    Hint.ALWAYS,
                    ChangeKind.NODE_ADDED,
                    ChangeKind.NODE_LABELS,
                    ChangeKind.OWN_OTHER,
                    ChangeKind.added(Kinds.STORAGE_CLASS),
                    ChangeKind.added(Kinds.PERSISTENT_VOLUME),
                    ChangeKind.updated(Kinds.PERSISTENT_VOLUME),
                    ChangeKind.added(Kinds.CSI_NODE),
                    ChangeKind.deleted(Kinds.CSI_NODE),
                    ChangeKind.deleted(Kinds.CSI_DRIVER),
                    ChangeKind.added(Kinds.CSI_STORAGE_CAPACITY)),
            WakeUp.on(
                    BindingHints::isItsClaim,
                    ChangeKind.added(Kinds.PERSISTENT_VOLUME_CLAIM),
                    ChangeKind.updated(Kinds.PERSISTENT_VOLUME_CLAIM)),
            WakeUp.on(BindingHints::isOtherwiseMade, ChangeKind.updated(Kinds.STORAGE_CLASS)),
            WakeUp.on(BindingHints::isOtherwiseMigrated, ChangeKind.updated(Kinds.CSI_NODE)),
            WakeUp.on(BindingHints::tellsNoCapacity, ChangeKind.updated(Kinds.CSI_DRIVER)),
            WakeUp.on(BindingHints::hasMoreRoom, ChangeKind.updated(Kinds.CSI_STORAGE_CAPACITY)),
            WakeUp.on(BindingHints::gaveBack, ChangeKind.ASSIGNED_POD_DELETED));

    private BindingHints() {}

    private static boolean isItsClaim(PodInfo waiting, ClusterChange change) {
        return KnownVolumes.uses(
                waiting.pod(), change.after(PersistentVolumeClaim.class).orElseThrow());
    }

    private static boolean isOtherwiseMade(PodInfo waiting, ClusterChange change) {
        StorageClass before = change.before(StorageClass.class).orElseThrow();
        StorageClass after = change.after(StorageClass.class).orElseThrow();
        return !before.allowedTopologies().equals(after.allowedTopologies())
                || !before.bindingMode().equals(after.bindingMode())
                || !before.provisioner().equals(after.provisioner());
    }

    private static boolean isOtherwiseMigrated(PodInfo waiting, ClusterChange change) {
        return !change.before(CsiNode.class)
                .map(CsiNode::migratedPlugins)
                .equals(change.after(CsiNode.class).map(CsiNode::migratedPlugins));
    }

    private static boolean tellsNoCapacity(PodInfo waiting, ClusterChange change) {
        return change.before(CsiDriver.class).orElseThrow().tellsCapacity()
                && !change.after(CsiDriver.class).orElseThrow().tellsCapacity();
    }

    private static boolean hasMoreRoom(PodInfo waiting, ClusterChange change) {
        CsiStorageCapacity before = change.before(CsiStorageCapacity.class).orElseThrow();
        CsiStorageCapacity after = change.after(CsiStorageCapacity.class).orElseThrow();
        Optional<Quantity> limit = after.limit();
        return limit.isPresent()
                && (before.limit()
                                .filter(had -> had.compareTo(limit.get()) >= 0)
                                .isEmpty()
                        || !before.nodes().equals(after.nodes())
                        || !before.storageClass().equals(after.storageClass()));
    }

    /** A pod that is not bound after all gives back the volumes that were kept for it. */
    private static boolean gaveBack(PodInfo waiting, ClusterChange change) {
        Pod gone = change.before(Pod.class).orElseThrow();
        return gone.spec().volumes().stream()
                .anyMatch(volume -> volume.claimOf(gone).isPresent());
    }
}
