package io.evenkeel.plugins.volumes;

import io.evenkeel.model.Pod;
import io.evenkeel.model.PodVolume;
import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.StorageClass;
import io.evenkeel.model.storage.VolumeSource.Csi;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Which volume of which CSI driver a pod's volume is, by which it is told whether two pods have the same one. A claim that is
 * not bound yet stands for the volume that will be made for it.
 */
record VolumeIdentity(KnownVolumes known) {
    /** No driver has handles such as these. */
    private static final String OF_CLAIM = "claim:";

    /** Plugins of former Kubernetes that drivers stand in for too, without counting their volumes. */
    private static final Set<String> NOT_COUNTED = Set.of("kubernetes.io/azure-file", "kubernetes.io/vsphere-volume");

    /** All volumes of a pod that are attached to its node. */
    Set<Csi> of(Pod pod) {
        Set<Csi> all = new LinkedHashSet<>();
        pod.spec().volumes().forEach(volume -> of(pod, volume).ifPresent(all::add));
        return all;
    }

    /** Identifies one volume of the pod; several of a pod can be the same. */
    Optional<Csi> of(Pod pod, PodVolume volume) {
        return volume.claimOf(pod)
                .map(claim -> ofClaim(KnownVolumes.claimKey(pod, claim)))
                .orElseGet(() -> MigratedPlugin.csi(volume));
    }

    /** The volume of a claim; empty where it is none of a CSI driver, or nothing is known of it. */
    Optional<Csi> ofClaim(String key) {
        return known.claim(key).flatMap(claim -> {
            Optional<PersistentVolume> volume =
                    claim.volumeName().isEmpty() ? Optional.empty() : known.volume(claim.volumeName());
            return volume.isPresent()
                    ? MigratedPlugin.csi(volume.get())
                            .filter(csi -> !csi.handle().isEmpty())
                    : toBeMade(claim);
        });
    }

    private Optional<Csi> toBeMade(PersistentVolumeClaim claim) {
        return known.storageClass(claim.terms().storageClass())
                .map(StorageClass::provisioner)
                .filter(provisioner -> !provisioner.isEmpty() && !NOT_COUNTED.contains(provisioner))
                .map(provisioner -> new Csi(MigratedPlugin.driverOf(provisioner), OF_CLAIM + claim.key()));
    }
}
