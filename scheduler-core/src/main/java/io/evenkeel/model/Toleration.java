package io.evenkeel.model;

import java.util.Optional;

/**
 * A toleration of a pod.
 *
 * @param key empty (with {@link Operator#EXISTS}) for every key
 * @param effect empty for every effect
 */
public record Toleration(String key, Operator operator, String value, Optional<TaintEffect> effect) {

    /** How the value is compared. */
    public enum Operator {
        EQUAL,
        EXISTS,
        /** Comparison of integers; never matches while the reference's gate for it is off by default. */
        LT,
        /** Comparison of integers; never matches while the reference's gate for it is off by default. */
        GT
    }

    public boolean tolerates(Taint taint) {
        if (effect.isPresent() && effect.get() != taint.effect()) {
            return false;
        }
        if (!key.isEmpty() && !key.equals(taint.key())) {
            return false;
        }
        return switch (operator) {
            case EXISTS -> true;
            case EQUAL -> value.equals(taint.value());
            case LT, GT -> false;
        };
    }
}
