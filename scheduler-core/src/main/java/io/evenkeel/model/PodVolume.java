package io.evenkeel.model;

/**
 * A volume that decides where its pod can run. ConfigMaps, secrets, empty directories, network shares, inline CSI volumes
 * and their like do not, and are not read; images have a place of their own ({@link PodSpec#imageVolumes}).
 */
public record PodVolume(String name, Source source) {

    /** Where the volume comes from: what the reference's volume plugins look at, and nothing else. */
    public enum Source {
        PERSISTENT_VOLUME_CLAIM("persistentVolumeClaim"),
        /** A claim that is made for the pod. */
        EPHEMERAL("ephemeral"),
        GCE_PERSISTENT_DISK("gcePersistentDisk"),
        AWS_ELASTIC_BLOCK_STORE("awsElasticBlockStore"),
        AZURE_DISK("azureDisk"),
        AZURE_FILE("azureFile"),
        CINDER("cinder"),
        VSPHERE_VOLUME("vsphereVolume"),
        PORTWORX_VOLUME("portworxVolume"),
        ISCSI("iscsi"),
        RBD("rbd");

        private final String field;

        Source(String field) {
            this.field = field;
        }

        /** The field of the API's volume that is filled in. */
        public String field() {
            return field;
        }
    }
}
