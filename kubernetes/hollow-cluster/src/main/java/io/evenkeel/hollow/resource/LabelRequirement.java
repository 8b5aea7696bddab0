package io.evenkeel.hollow.resource;

import java.util.List;
import java.util.Map;

/** One requirement on one label. An absent label satisfies NOT_IN, as everywhere in Kubernetes. */
record LabelRequirement(String key, Operator operator, List<String> values) {

    enum Operator {
        IN,
        NOT_IN,
        EXISTS,
        DOES_NOT_EXIST,
        GREATER,
        LESS
    }

    static LabelRequirement in(String key, List<String> values) {
        return new LabelRequirement(key, Operator.IN, values);
    }

    static LabelRequirement notIn(String key, List<String> values) {
        return new LabelRequirement(key, Operator.NOT_IN, values);
    }

    boolean matches(Map<String, String> labels) {
        boolean present = labels.containsKey(key);
        String value = labels.getOrDefault(key, "");
        return switch (operator) {
            case IN -> present && values.contains(value);
            case NOT_IN -> !present || !values.contains(value);
            case EXISTS -> present;
            case DOES_NOT_EXIST -> !present;
            case GREATER -> present && isNumber(value) && Long.parseLong(value) > Long.parseLong(values.getFirst());
            case LESS -> present && isNumber(value) && Long.parseLong(value) < Long.parseLong(values.getFirst());
        };
    }

    private static boolean isNumber(String text) {
        return text.matches("-?[0-9]{1,18}");
    }
}
