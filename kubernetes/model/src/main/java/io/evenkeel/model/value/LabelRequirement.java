package io.evenkeel.model.value;

import java.util.List;

/** One requirement of a label selector; its values are sorted, and found in no time where they are many. */
public record LabelRequirement(String key, Operator operator, List<String> values) {

    public enum Operator implements NamedConstant {
        IN,
        NOT_IN,
        EXISTS,
        DOES_NOT_EXIST
    }

    public LabelRequirement {
        values = ValueSet.sorted(values);
    }

    public static LabelRequirement equalTo(String key, String value) {
        return new LabelRequirement(key, Operator.IN, List.of(value));
    }

    /** As records are compared; but for one value, as most have, no iterator is made: each pod's selectors are compared. */
    @Override
    public boolean equals(Object other) {
        return other instanceof LabelRequirement that
                && operator == that.operator
                && key.equals(that.key)
                && (values.size() == 1 && that.values.size() == 1
                        ? values.getFirst().equals(that.values.getFirst())
                        : values.equals(that.values));
    }

    @Override
    public int hashCode() {
        return 31 * (31 * key.hashCode() + operator.hashCode()) + values.hashCode();
    }

    /** NotIn and DoesNotExist hold where the key is absent. */
    public boolean matches(Labels labels) {
        int index = labels.find(key);
        return switch (operator) {
            case IN -> index >= 0 && values.contains(labels.valueAt(index));
            case NOT_IN -> index < 0 || !values.contains(labels.valueAt(index));
            case EXISTS -> index >= 0;
            case DOES_NOT_EXIST -> index < 0;
        };
    }
}
