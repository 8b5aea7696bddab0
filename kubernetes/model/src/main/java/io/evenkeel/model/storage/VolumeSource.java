package io.evenkeel.model.storage;

import io.evenkeel.model.PodVolume;

/** The source of a persistent volume, as far as scheduling cares. */
public sealed interface VolumeSource {

    /** A volume of a CSI driver, which knows it by its handle. */
    record Csi(String driver, String handle) implements VolumeSource {}

    /** A volume of a plugin that Kubernetes once had itself, and that a CSI driver stands in for today. */
    record Migrated(PodVolume.Source plugin, String id) implements VolumeSource {}

    /** Anything else: a directory of a node, a network share. */
    record Other() implements VolumeSource {}

    VolumeSource OTHER = new Other();
}
