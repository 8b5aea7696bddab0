package io.evenkeel.model.device;

import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.PluginObject;

/**
 * A DeviceTaintRule: a taint that an administrator gives to devices.
 *
 * @param driver of the devices; empty for all
 * @param pool likewise
 * @param device likewise
 */
public record DeviceTaintRule(ObjectMeta meta, String driver, String pool, String device, DeviceTaint taint)
        implements PluginObject {
    @Override
    public String kindName() {
        return "DeviceTaintRule";
    }

    public boolean selects(String itsDriver, String itsPool, String itsDevice) {
        return (driver.isEmpty() || driver.equals(itsDriver))
                && (pool.isEmpty() || pool.equals(itsPool))
                && (device.isEmpty() || device.equals(itsDevice));
    }
}
