package io.evenkeel.model.device;

import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.PluginObject;
import java.util.Optional;

/**
 * A DeviceTaintRule: a taint that an administrator gives to devices.
 *
 * @param devices to which; empty for none
 */
public record DeviceTaintRule(ObjectMeta meta, Optional<Selector> devices, DeviceTaint taint) implements PluginObject {
    @Override
    public String kindName() {
        return "DeviceTaintRule";
    }

    public boolean selects(String itsDriver, String itsPool, String itsDevice) {
        return devices.isPresent() && devices.get().matches(itsDriver, itsPool, itsDevice);
    }

    /**
     * Devices that agree with all that is said here.
     *
     * @param driver empty for all
     * @param pool likewise
     * @param device likewise
     */
    public record Selector(String driver, String pool, String device) {
        boolean matches(String itsDriver, String itsPool, String itsDevice) {
            return (driver.isEmpty() || driver.equals(itsDriver))
                    && (pool.isEmpty() || pool.equals(itsPool))
                    && (device.isEmpty() || device.equals(itsDevice));
        }
    }
}
