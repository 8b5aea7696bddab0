package io.evenkeel.model;

import io.evenkeel.model.value.NamedConstant;
import io.evenkeel.model.value.WholeNumber;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A toleration of a pod.
 *
 * @param key empty (with {@link Operator#EXISTS}) for every key
 * @param effect empty for every effect
 * @since 0.1
 */
public record Toleration(String key, Operator operator, String value, Optional<TaintEffect> effect) {

    public enum Operator implements NamedConstant {
        EQUAL,
        EXISTS,
        /** Tolerates taints with a value less than the toleration's, both being whole numbers. */
        LT,
        /** Tolerates taints with a value greater than the toleration's, both being whole numbers. */
        GT
    }

    /** Whether the operator is LT or GT, which count only while a gate is on. */
    public boolean compares() {
        return operator == Operator.LT || operator == Operator.GT;
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
            case LT, GT -> isInOrder(taint.value());
        };
    }

    private boolean isInOrder(String taintValue) {
        OptionalLong left = wholeNumber(taintValue);
        OptionalLong right = wholeNumber(value);
        if (left.isEmpty() || right.isEmpty()) {
            return false;
        }
        int order = Long.compare(left.getAsLong(), right.getAsLong());
        return operator == Operator.LT ? order < 0 : order > 0;
    }

    /** Of 64 bits, written as people do: no plus, no leading zeros, no minus zero. */
    private static OptionalLong wholeNumber(String text) {
        OptionalLong number = WholeNumber.parse(text);
        return number.isPresent() && Long.toString(number.getAsLong()).equals(text) ? number : OptionalLong.empty();
    }
}
