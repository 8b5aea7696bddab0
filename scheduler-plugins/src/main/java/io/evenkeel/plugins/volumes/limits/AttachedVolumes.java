package io.evenkeel.plugins.volumes.limits;

import io.evenkeel.cluster.node.SparseCounts;
import io.evenkeel.model.storage.VolumeSource.Csi;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;

/** The volumes that are somewhere, and what they come to on each node by driver. */
final class AttachedVolumes {
    private static final SparseCounts NOWHERE = SparseCounts.create().counts();

    private final Map<Csi, AttachedVolume> volumes = new HashMap<>();
    private final Map<String, DriverLoad> drivers = new HashMap<>();

    /** How many pods of each node have the volume. */
    SparseCounts podsWith(Csi volume) {
        AttachedVolume known = volumes.get(volume);
        return known == null ? NOWHERE : known.pods();
    }

    /** Where VolumeAttachments say that it is. */
    SparseCounts attachmentsOf(Csi volume) {
        AttachedVolume known = volumes.get(volume);
        return known == null ? NOWHERE : known.attachments();
    }

    DriverLoad load(String driver) {
        return drivers.getOrDefault(driver, UNKNOWN);
    }

    /** The load of an unknown driver: no node has a limit. */
    private static final DriverLoad UNKNOWN = new DriverLoad();

    void addPods(Csi volume, int node, int delta) {
        AttachedVolume known = volume(volume);
        known.addPods(node, delta);
        dropUnused(volume, known);
    }

    void addAttachment(Csi volume, int node, int delta) {
        AttachedVolume known = volume(volume);
        known.addAttachment(node, delta);
        dropUnused(volume, known);
    }

    void limit(String driver, int node, OptionalInt limit) {
        DriverLoad load = drivers.computeIfAbsent(driver, _ -> new DriverLoad());
        load.limit(node, limit);
        dropUnused(driver, load);
    }

    private AttachedVolume volume(Csi volume) {
        return volumes.computeIfAbsent(
                volume, _ -> new AttachedVolume(drivers.computeIfAbsent(volume.driver(), _ -> new DriverLoad())));
    }

    private void dropUnused(Csi volume, AttachedVolume known) {
        if (known.isNowhere()) {
            volumes.remove(volume);
            dropUnused(volume.driver(), load(volume.driver()));
        }
    }

    private void dropUnused(String driver, DriverLoad load) {
        if (load.isUnused()) {
            drivers.remove(driver);
        }
    }

    Map<Csi, AttachedVolume> volumes() {
        return volumes;
    }

    Map<String, DriverLoad> drivers() {
        return drivers;
    }
}
