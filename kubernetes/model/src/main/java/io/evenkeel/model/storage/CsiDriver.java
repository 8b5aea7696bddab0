package io.evenkeel.model.storage;

import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.PluginObject;

/**
 * A CSIDriver.
 *
 * @param tellsCapacity whether it publishes how much can be made of its volumes, and that is to be heeded
 * @param mustBeInstalled whether its volumes keep pods off nodes that do not have it
 */
public record CsiDriver(ObjectMeta meta, boolean tellsCapacity, boolean mustBeInstalled) implements PluginObject {
    @Override
    public String kindName() {
        return "CSIDriver";
    }
}
