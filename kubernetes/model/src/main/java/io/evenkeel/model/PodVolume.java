package io.evenkeel.model;

import io.evenkeel.model.value.NamedConstant;
import java.util.List;
import java.util.Optional;

/**
 * A volume that decides where its pod can run. ConfigMaps, secrets, empty directories, network shares, inline CSI volumes
 * and their like do not, and are not read; images have a place of their own ({@link PodSpec#imageVolumes}).
 *
 * @param id by which pods with the same one have the same thing: a claim's name, a disk's, a target's, an image's pool and
 *     name; empty for a claim that is made for the pod, and where it cannot matter
 * @param monitors any of them reaches an {@link Source#RBD} image
 * @param readOnly whether the pod leaves the volume as it is
 */
public record PodVolume(String name, Source source, String id, List<String> monitors, boolean readOnly) {

    /** Where the volume comes from: what the reference's volume plugins look at, and nothing else. */
    public enum Source implements NamedConstant {
        PERSISTENT_VOLUME_CLAIM,
        /** A claim that is made for the pod. */
        EPHEMERAL,
        GCE_PERSISTENT_DISK,
        AWS_ELASTIC_BLOCK_STORE,
        AZURE_DISK,
        AZURE_FILE,
        CINDER,
        VSPHERE_VOLUME,
        PORTWORX_VOLUME,
        ISCSI,
        RBD
    }

    /** A volume with nothing more known of it. */
    public PodVolume(String name, Source source) {
        this(name, source, "", List.of(), false);
    }

    /** The volume of a claim, which is named as the claim is. */
    public static PodVolume ofClaim(String claim) {
        return new PodVolume(claim, Source.PERSISTENT_VOLUME_CLAIM, claim, List.of(), false);
    }

    /** The name of the claim by which this pod has it; empty where it is none. */
    public Optional<String> claimOf(Pod pod) {
        return switch (source) {
            case PERSISTENT_VOLUME_CLAIM -> Optional.of(id);
            case EPHEMERAL -> Optional.of(pod.meta().name() + "-" + name);
            default -> Optional.empty();
        };
    }
}
