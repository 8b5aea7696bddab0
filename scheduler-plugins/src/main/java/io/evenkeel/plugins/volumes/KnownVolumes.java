package io.evenkeel.plugins.volumes;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.index.ObjectStore;
import io.evenkeel.framework.change.Interest;
import io.evenkeel.framework.cycle.Status;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodVolume;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.storage.CsiDriver;
import io.evenkeel.model.storage.CsiNode;
import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.StorageClass;
import java.util.List;
import java.util.Optional;

/** Finds claims, volumes and what belongs to them, as the API server has them; and says so where they are not there. */
public final class KnownVolumes {
    private final ObjectStore objects;

    public KnownVolumes(ClusterView cluster) {
        objects = cluster.objects();
    }

    public Optional<PersistentVolumeClaim> claim(String key) {
        return objects.find(Kinds.PERSISTENT_VOLUME_CLAIM, key);
    }

    public Optional<PersistentVolumeClaim> claim(Pod pod, String name) {
        return claim(claimKey(pod, name));
    }

    public Optional<PersistentVolume> volume(String name) {
        return objects.find(Kinds.PERSISTENT_VOLUME, name);
    }

    public Optional<StorageClass> storageClass(String name) {
        return name.isEmpty() ? Optional.empty() : objects.find(Kinds.STORAGE_CLASS, name);
    }

    public Optional<CsiNode> csiNode(String node) {
        return objects.find(Kinds.CSI_NODE, node);
    }

    public Optional<CsiDriver> csiDriver(String name) {
        return objects.find(Kinds.CSI_DRIVER, name);
    }

    public static String claimKey(Pod pod, String name) {
        return pod.meta().namespace() + "/" + name;
    }

    /** Whether the volume is of a claim that was there before the pod, and not made for it. */
    public static boolean isClaim(PodVolume volume) {
        return volume.source() == PodVolume.Source.PERSISTENT_VOLUME_CLAIM;
    }

    /** Whether the pod has a volume of the claim, be it one that is made for the pod. */
    public static boolean uses(Pod pod, PersistentVolumeClaim claim) {
        List<PodVolume> volumes = pod.spec().volumes();
        if (volumes.isEmpty() || !pod.meta().namespace().equals(claim.meta().namespace())) {
            return false;
        }
        for (int i = 0; i < volumes.size(); i++) {
            if (volumes.get(i).claimOf(pod).filter(claim.meta().name()::equals).isPresent()) {
                return true;
            }
        }
        return false;
    }

    /** In its claims, be they there or not: which they are, a pod says for good. */
    public static Interest interestInClaims(PodInfo pod) {
        return Interest.inObjects(
                pod.pod().namespace(),
                pod.pod().spec().volumes().stream()
                        .flatMap(volume -> volume.claimOf(pod.pod()).stream())
                        .toList());
    }

    /** Whether a claim that has the name of one which is made for the pod was made for it indeed. */
    public static boolean isMadeFor(Pod pod, PersistentVolumeClaim claim) {
        return claim.meta()
                .controller()
                .filter(owner -> owner.uid().equals(pod.meta().uid()))
                .isPresent();
    }

    public static Status claimNotFound(String name) {
        return notFound("persistentvolumeclaim", name);
    }

    public static Status notFound(String resource, String name) {
        return Status.unresolvable(resource + " \"" + name + "\" not found");
    }
}
