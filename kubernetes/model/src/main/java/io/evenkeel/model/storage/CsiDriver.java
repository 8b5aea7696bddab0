package io.evenkeel.model.storage;

import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.PluginObject;

/**
 * A CSIDriver.
 *
 * @param tellsCapacity whether it publishes how much can be made of its volumes, and that is to be heeded
 */
public record CsiDriver(ObjectMeta meta, boolean tellsCapacity) implements PluginObject {
    @Override
    public String kindName() {
        return "CSIDriver";
    }
}
