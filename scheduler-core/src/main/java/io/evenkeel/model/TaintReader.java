package io.evenkeel.model;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Reads taints and the tolerations of them. */
final class TaintReader {
    static final Map<String, TaintEffect> EFFECTS =
            Arrays.stream(TaintEffect.values()).collect(Collectors.toMap(TaintEffect::wireName, effect -> effect));
    static final Map<String, Optional<TaintEffect>> TOLERATED_EFFECTS = toleratedEffects();
    static final Map<String, Toleration.Operator> OPERATORS = Map.of(
            "", Toleration.Operator.EQUAL,
            "Equal", Toleration.Operator.EQUAL,
            "Exists", Toleration.Operator.EXISTS,
            "Lt", Toleration.Operator.LT,
            "Gt", Toleration.Operator.GT);

    private TaintReader() {}

    private static Map<String, Optional<TaintEffect>> toleratedEffects() {
        Map<String, Optional<TaintEffect>> effects = new HashMap<>();
        EFFECTS.forEach((name, effect) -> effects.put(name, Optional.of(effect)));
        effects.put("", Optional.empty());
        return effects;
    }

    static Taint readTaint(JsonCursor in) {
        String key = "";
        String value = "";
        Optional<TaintEffect> effect = Optional.empty();
        in.enterObject();
        while (in.nextField()) {
            switch (in.field()) {
                case "key" -> key = in.sharedString();
                case "value" -> value = in.sharedString();
                case "effect" -> effect = Optional.of(in.oneOf(EFFECTS));
                default -> in.skip();
            }
        }
        return new Taint(key, value, effect.orElseThrow(() -> in.missing("effect")));
    }

    static Toleration readToleration(JsonCursor in) {
        String key = "";
        Toleration.Operator operator = Toleration.Operator.EQUAL;
        String value = "";
        Optional<TaintEffect> effect = Optional.empty();
        in.enterObject();
        while (in.nextField()) {
            switch (in.field()) {
                case "key" -> key = in.sharedString();
                case "operator" -> operator = in.oneOf(OPERATORS);
                case "value" -> value = in.sharedString();
                case "effect" -> effect = in.oneOf(TOLERATED_EFFECTS);
                default -> in.skip();
            }
        }
        return new Toleration(key, operator, value, effect);
    }
}
