package io.evenkeel.plugins.volumes;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.Hint;
import io.evenkeel.api.Interest;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.Status;
import io.evenkeel.api.WakeUp;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.index.ObjectStore;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodVolume;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.storage.CsiDriver;
import io.evenkeel.model.storage.CsiNode;
import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.StorageClass;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds claims, volumes and what belongs to them, as the API server has them; and says so where they are not there. */
final class KnownVolumes {
    private final ObjectStore objects;

    KnownVolumes(ClusterView cluster) {
        objects = cluster.objects();
    }

    Optional<PersistentVolumeClaim> claim(String key) {
        return objects.find(Kinds.PERSISTENT_VOLUME_CLAIM, key);
    }

    Optional<PersistentVolumeClaim> claim(Pod pod, String name) {
        return claim(claimKey(pod, name));
    }

    Optional<PersistentVolume> volume(String name) {
        return objects.find(Kinds.PERSISTENT_VOLUME, name);
    }

    Optional<StorageClass> storageClass(String name) {
        return name.isEmpty() ? Optional.empty() : objects.find(Kinds.STORAGE_CLASS, name);
    }

    SortedSet<String> storageClassNames() {
        return names(Kinds.STORAGE_CLASS, "");
    }

    SortedSet<String> claimNames(String namespace) {
        return names(Kinds.PERSISTENT_VOLUME_CLAIM, namespace);
    }

    private SortedSet<String> names(Kind<? extends KubernetesObject> kind, String namespace) {
        return objects.all(kind).stream()
                .map(KubernetesObject::meta)
                .filter(meta -> meta.namespace().equals(namespace))
                .map(ObjectMeta::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    Optional<CsiNode> csiNode(String node) {
        return objects.find(Kinds.CSI_NODE, node);
    }

    Optional<CsiDriver> csiDriver(String name) {
        return objects.find(Kinds.CSI_DRIVER, name);
    }

    static String claimKey(Pod pod, String name) {
        return pod.meta().namespace() + "/" + name;
    }

    /** Whether the volume is of a claim that was there before the pod, and not made for it. */
    static boolean isClaim(PodVolume volume) {
        return volume.source() == PodVolume.Source.PERSISTENT_VOLUME_CLAIM;
    }

    /** Returns the pod's claims that are there, with those that are made for it. */
    Stream<PersistentVolumeClaim> claimsOf(Pod pod) {
        return claimNames(pod).flatMap(name -> claim(pod, name).stream());
    }

    private static Stream<String> claimNames(Pod pod) {
        return pod.spec().volumes().stream().flatMap(volume -> volume.claimOf(pod).stream());
    }

    /** A claim of the pod's comes, or changes: whatever it is now, that may help. */
    static WakeUp onItsClaims() {
        return WakeUp.on(
                        Hint.ALWAYS,
                        ChangeKind.added(Kinds.PERSISTENT_VOLUME_CLAIM),
                        ChangeKind.updated(Kinds.PERSISTENT_VOLUME_CLAIM))
                .filedBy(KnownVolumes::interestInClaims)
                .allAlike();
    }

    /** A change with a hint that reads nothing of the pod. Of a gang, only pods with volumes wait for it. */
    static WakeUp forVolumes(Hint hint, ChangeKind first, ChangeKind... more) {
        return WakeUp.on(hint, first, more)
                .alike(KnownVolumes::hasVolumes)
                .ofGangs((waiting, change) -> hasVolumes(waiting) && hint.mayHelp(waiting, change));
    }

    /** A node comes, or has other labels. Of a gang, any pod may wait for a new node, and pods with volumes for labels. */
    static WakeUp onNodes(Hint hint) {
        return WakeUp.on(hint, ChangeKind.NODE_ADDED, ChangeKind.NODE_LABELS)
                .ofGangs((waiting, change) ->
                        change.is(ChangeKind.NODE_ADDED) || (hasVolumes(waiting) && hint.mayHelp(waiting, change)));
    }

    private static boolean hasVolumes(PendingPod pod) {
        return !pod.pod().spec().volumes().isEmpty();
    }

    /** In its claims, be they there or not: which they are, a pod says for good. */
    private static Interest interestInClaims(PendingPod pod) {
        return Interest.inObjects(pod.pod().namespace(), claimNames(pod.pod()).toList());
    }

    /** Whether a claim that has the name of one which is made for the pod was made for it indeed. */
    static boolean isMadeFor(Pod pod, PersistentVolumeClaim claim) {
        return claim.meta()
                .controller()
                .filter(owner -> owner.uid().equals(pod.meta().uid()))
                .isPresent();
    }

    /** Objects to a claim that was not made for it; empty of one that was. */
    static Optional<String> notMadeFor(Pod pod, PersistentVolumeClaim claim) {
        return isMadeFor(pod, claim)
                ? Optional.empty()
                : Optional.of("PVC " + claim.key() + " was not created for pod " + pod.key() + " (pod is not owner)");
    }

    static Status claimNotFound(String name) {
        return notFound("persistentvolumeclaim", name);
    }

    static Status notFound(String resource, String name) {
        return Status.unresolvable(resource + " \"" + name + "\" not found");
    }
}
