package io.evenkeel.model.device;

/**
 * A taint of a device.
 *
 * @param effect NoSchedule or NoExecute; any other, such as None, has no effect
 * @param timeAdded as RFC 3339 has it; empty where it is not said
 */
public record DeviceTaint(String key, String value, String effect, String timeAdded) {
    /** Whether no new claim gets the device that does not tolerate this. */
    public boolean keepsAway() {
        return effect.equals("NoSchedule") || effect.equals("NoExecute");
    }
}
