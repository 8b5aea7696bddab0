package io.evenkeel.model;

import java.util.Optional;

/** Reads taints and the tolerations of them. */
final class WireTaintReader {
    private final WireValues values;

    WireTaintReader(WireValues values) {
        this.values = values;
    }

    Taint readTaint(WireCursor in) {
        String key = "";
        String value = "";
        Optional<TaintEffect> effect = Optional.empty();
        while (in.next()) {
            switch (in.field()) {
                case 1 -> key = values.string(in);
                case 2 -> value = values.string(in);
                case 3 -> effect = Optional.of(values.oneOf(TaintReader.EFFECTS, in, "effect"));
                default -> {}
            }
        }
        return new Taint(key, value, effect.orElseThrow(() -> WireValues.missing("effect")));
    }

    Toleration readToleration(WireCursor in) {
        String key = "";
        Toleration.Operator operator = Toleration.Operator.EQUAL;
        String value = "";
        Optional<TaintEffect> effect = Optional.empty();
        while (in.next()) {
            switch (in.field()) {
                case 1 -> key = values.string(in);
                case 2 -> operator = values.oneOf(TaintReader.OPERATORS, in, "operator");
                case 3 -> value = values.string(in);
                case 4 -> effect = values.oneOf(TaintReader.TOLERATED_EFFECTS, in, "effect");
                default -> {}
            }
        }
        return new Toleration(key, operator, value, effect);
    }
}
