package io.evenkeel.model.storage;

import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.PluginObject;

/**
 * A VolumeAttachment: a volume is attached to a node, or is to be.
 *
 * @param attacher the CSI driver
 * @param volumeName of the PersistentVolume; empty where it is none
 */
public record VolumeAttachment(ObjectMeta meta, String attacher, String node, String volumeName)
        implements PluginObject {
    @Override
    public String kindName() {
        return "VolumeAttachment";
    }
}
