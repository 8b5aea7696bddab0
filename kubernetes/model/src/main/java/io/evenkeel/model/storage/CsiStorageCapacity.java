package io.evenkeel.model.storage;

import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.PluginObject;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Quantity;
import java.util.Optional;

/**
 * A CSIStorageCapacity: how much can be made of a class's volumes near some nodes.
 *
 * @param nodes those nodes; empty where there are none
 * @param largest how large one volume can be; the better figure, where it is there
 */
public record CsiStorageCapacity(
        ObjectMeta meta,
        String storageClass,
        Optional<LabelSelector> nodes,
        Optional<Quantity> capacity,
        Optional<Quantity> largest)
        implements PluginObject {
    @Override
    public String kindName() {
        return "CSIStorageCapacity";
    }

    /** How large a volume can be that is made there; nothing is known to fit where that is not said. */
    public Optional<Quantity> limit() {
        return largest.or(() -> capacity);
    }
}
