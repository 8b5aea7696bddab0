package io.evenkeel.model.storage;

import io.evenkeel.model.Annotations;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.PluginObject;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Quantity;
import java.util.Optional;

/**
 * A PersistentVolumeClaim.
 *
 * @param terms what it asks for
 * @param size how much of it
 * @param selector which volumes do, by their labels
 * @param volumeName the volume that it is bound to, or wants; empty for none
 * @param isLost whether the volume that it was bound to is gone
 */
public record PersistentVolumeClaim(
        ObjectMeta meta,
        VolumeTerms terms,
        Optional<Quantity> size,
        Optional<LabelSelector> selector,
        String volumeName,
        boolean isLost)
        implements PluginObject {
    @Override
    public String kindName() {
        return "PersistentVolumeClaim";
    }

    public String key() {
        return meta.key();
    }

    /** Whether claim and volume know of each other. */
    public boolean isBound() {
        return !volumeName.isEmpty() && meta.annotations().has(Annotations.BIND_COMPLETED);
    }

    /** The node near which its volume is to be made. */
    public Optional<String> selectedNode() {
        int index = meta.annotations().find(Annotations.SELECTED_NODE);
        return index < 0 ? Optional.empty() : Optional.of(meta.annotations().valueAt(index));
    }

    /** Returns the claim with its volume to be made near this node. */
    public PersistentVolumeClaim selecting(String node) {
        return with(Annotations.SELECTED_NODE, node, volumeName);
    }

    /** Returns the claim once this volume is its own, and both know. */
    public PersistentVolumeClaim boundTo(String volume) {
        return with(Annotations.BIND_COMPLETED, "yes", volume);
    }

    private PersistentVolumeClaim with(String annotation, String value, String volume) {
        return new PersistentVolumeClaim(
                meta.withAnnotations(meta.annotations().with(annotation, value)),
                terms,
                size,
                selector,
                volume,
                isLost);
    }
}
