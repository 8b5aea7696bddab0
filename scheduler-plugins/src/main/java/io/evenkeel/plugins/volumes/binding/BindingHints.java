package io.evenkeel.plugins.volumes.binding;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.ClusterChange;
import io.evenkeel.api.Hint;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.WakeUp;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.storage.CsiDriver;
import io.evenkeel.model.storage.CsiNode;
import io.evenkeel.model.storage.CsiStorageCapacity;
import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.StorageClass;
import io.evenkeel.model.value.Quantity;
import io.evenkeel.plugins.volumes.KnownVolumes;
import java.util.List;
import java.util.Optional;

/** Tells which changes may help a pod that its volumes kept from nodes. */
final class BindingHints {
    private final KnownVolumes known;
    private final NodeTable nodes;
    private final ClaimReader claims;
    private final NodeSearch search;

    BindingHints(KnownVolumes known, NodeTable nodes, ClaimReader claims, NodeSearch search) {
        this.known = known;
        this.nodes = nodes;
        this.claims = claims;
        this.search = search;
    }

    List<WakeUp> all() {
        return List.of(
                KnownVolumes.onNodes(this::isWithinReach),
                KnownVolumes.forVolumes(
                        Hint.ALWAYS,
                        ChangeKind.OWN_OTHER,
                        ChangeKind.added(Kinds.CSI_NODE),
                        ChangeKind.deleted(Kinds.CSI_NODE),
                        ChangeKind.deleted(Kinds.CSI_DRIVER)),
                KnownVolumes.onItsClaims(),
                WakeUp.on(
                                this::mayBeItsVolume,
                                ChangeKind.added(Kinds.PERSISTENT_VOLUME),
                                ChangeKind.updated(Kinds.PERSISTENT_VOLUME),
                                ChangeKind.deleted(Kinds.PERSISTENT_VOLUME))
                        .alsoOfGangs(),
                WakeUp.on(
                                this::isOtherwiseMade,
                                ChangeKind.added(Kinds.STORAGE_CLASS),
                                ChangeKind.updated(Kinds.STORAGE_CLASS))
                        .alsoOfGangs(),
                KnownVolumes.forVolumes(BindingHints::isOtherwiseMigrated, ChangeKind.updated(Kinds.CSI_NODE)),
                KnownVolumes.forVolumes(BindingHints::tellsNoCapacity, ChangeKind.updated(Kinds.CSI_DRIVER)),
                WakeUp.on(
                                this::hasMoreRoom,
                                ChangeKind.added(Kinds.CSI_STORAGE_CAPACITY),
                                ChangeKind.updated(Kinds.CSI_STORAGE_CAPACITY))
                        .alsoOfGangs(),
                KnownVolumes.forVolumes(BindingHints::gaveBack, ChangeKind.ASSIGNED_POD_DELETED));
    }

    private boolean isWithinReach(PendingPod waiting, ClusterChange change) {
        int node = nodes.findPresent(change.after(Node.class).orElseThrow().name());
        return node >= 0
                && claims.read(waiting.pod()) instanceof ClaimReader.Answer.Some(PodClaims some)
                && search.search(some, node).reasons() == NodeReasons.NONE;
    }

    /** One that it has, or could have now, or could not have as it was and that stood before all others. */
    private boolean mayBeItsVolume(PendingPod waiting, ClusterChange change) {
        Optional<PersistentVolume> before = change.before(PersistentVolume.class);
        Optional<PersistentVolume> after = change.after(PersistentVolume.class);
        PersistentVolume some = after.or(() -> before).orElseThrow();
        return known.claimsOf(waiting.pod())
                .anyMatch(claim -> claim.volumeName().equals(some.name())
                        || before.filter(volume -> volume.isFor(claim)).isPresent()
                        || after.filter(volume -> volume.isFor(claim) || suits(volume, claim))
                                .isPresent());
    }

    private static boolean suits(PersistentVolume volume, PersistentVolumeClaim claim) {
        return claim.volumeName().isEmpty() && volume.claim().isEmpty() && NodeSearch.suits(volume, claim);
    }

    private boolean isOtherwiseMade(PendingPod waiting, ClusterChange change) {
        StorageClass after = change.after(StorageClass.class).orElseThrow();
        Optional<StorageClass> before = change.before(StorageClass.class);
        boolean isOther = before.isEmpty()
                || !before.get().allowedTopologies().equals(after.allowedTopologies())
                || !before.get().bindingMode().equals(after.bindingMode())
                || !before.get().provisioner().equals(after.provisioner());
        return isOther && hasUnbound(waiting, after.name());
    }

    private static boolean isOtherwiseMigrated(PendingPod waiting, ClusterChange change) {
        return !change.before(CsiNode.class)
                .map(CsiNode::migratedPlugins)
                .equals(change.after(CsiNode.class).map(CsiNode::migratedPlugins));
    }

    private static boolean tellsNoCapacity(PendingPod waiting, ClusterChange change) {
        return change.before(CsiDriver.class).orElseThrow().tellsCapacity()
                && !change.after(CsiDriver.class).orElseThrow().tellsCapacity();
    }

    private boolean hasMoreRoom(PendingPod waiting, ClusterChange change) {
        CsiStorageCapacity after = change.after(CsiStorageCapacity.class).orElseThrow();
        Optional<Quantity> limit = after.limit();
        boolean hasMore = limit.isPresent()
                && change.before(CsiStorageCapacity.class)
                        .filter(before -> before.nodes().equals(after.nodes())
                                && before.storageClass().equals(after.storageClass())
                                && before.limit()
                                        .filter(had -> had.compareTo(limit.get()) >= 0)
                                        .isPresent())
                        .isEmpty();
        return hasMore && hasUnbound(waiting, after.storageClass());
    }

    private boolean hasUnbound(PendingPod waiting, String storageClass) {
        return known.claimsOf(waiting.pod())
                .anyMatch(claim ->
                        !claim.isBound() && claim.terms().storageClass().equals(storageClass));
    }

    /** A pod that is not bound after all gives back the volumes that were kept for it. */
    private static boolean gaveBack(PendingPod waiting, ClusterChange change) {
        Pod gone = change.before(Pod.class).orElseThrow();
        return gone.spec().volumes().stream()
                .anyMatch(volume -> volume.claimOf(gone).isPresent());
    }
}
