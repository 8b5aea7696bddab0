package io.evenkeel.model.device;

import java.util.OptionalLong;

/**
 * A toleration of a request for devices.
 *
 * @param key empty (with operator Exists) for every key
 * @param operator Exists or Equal; empty for Equal
 * @param effect empty for every effect
 * @param seconds how long after NoExecute its pods stay
 */
public record DeviceToleration(String key, String operator, String value, String effect, OptionalLong seconds) {
    public boolean tolerates(DeviceTaint taint) {
        if (!effect.isEmpty() && !effect.equals(taint.effect())) {
            return false;
        }
        if (!key.isEmpty() && !key.equals(taint.key())) {
            return false;
        }
        return switch (operator) {
            case "", "Equal" -> value.equals(taint.value());
            case "Exists" -> true;
            default -> false;
        };
    }
}
