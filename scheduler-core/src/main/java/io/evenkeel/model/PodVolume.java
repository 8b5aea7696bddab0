package io.evenkeel.model;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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

        private static final Map<String, Source> BY_FIELD =
                Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(Source::field, Function.identity()));

        private final String field;

        Source(String field) {
            this.field = field;
        }

        static Optional<Source> ofField(String name) {
            return Optional.ofNullable(BY_FIELD.get(name));
        }

        /** The field of the API's volume that is filled in. */
        public String field() {
            return field;
        }

        /** A volume has one source; of several, which the API server refuses, it is the first of this list. */
        static Optional<Source> either(Optional<Source> found, Optional<Source> other) {
            return Stream.concat(found.stream(), other.stream()).min(Comparator.naturalOrder());
        }
    }
}
