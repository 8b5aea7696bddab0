package io.evenkeel.model.device;

import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.PluginObject;
import java.util.List;

/**
 * A DeviceClass: what an administrator lets claims ask for by a name.
 *
 * @param selectors which a device must all match; CEL expressions, or empty for one of a kind that is not known
 * @param extendedResourceName the resource by which containers may ask for such a device; empty for none
 */
public record DeviceClass(
        ObjectMeta meta, List<String> selectors, List<DeviceConfiguration> configurations, String extendedResourceName)
        implements PluginObject {
    @Override
    public String kindName() {
        return "DeviceClass";
    }

    public String name() {
        return meta.name();
    }
}
