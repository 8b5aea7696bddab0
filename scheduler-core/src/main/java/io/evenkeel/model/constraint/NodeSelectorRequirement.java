package io.evenkeel.model.constraint;

import io.evenkeel.model.value.Labels;
import io.evenkeel.model.value.NamedConstant;
import io.evenkeel.model.value.WholeNumber;
import java.util.List;
import java.util.OptionalLong;

/** One requirement on a node's labels or fields. */
public record NodeSelectorRequirement(String key, Operator operator, List<String> values) {

    /** How a label is compared with the values. */
    public enum Operator implements NamedConstant {
        IN("In"),
        NOT_IN("NotIn"),
        EXISTS("Exists"),
        DOES_NOT_EXIST("DoesNotExist"),
        GT("Gt"),
        LT("Lt");

        private final String apiName;

        Operator(String apiName) {
            this.apiName = apiName;
        }

        @Override
        public String apiName() {
            return apiName;
        }
    }

    /** A requirement with values where none belong, or without where some do, is invalid and matches nothing. */
    public boolean matches(Labels labels) {
        int index = labels.find(key);
        return switch (operator) {
            case IN -> index >= 0 && values.contains(labels.valueAt(index));
            case NOT_IN -> !values.isEmpty() && (index < 0 || !values.contains(labels.valueAt(index)));
            case EXISTS -> values.isEmpty() && index >= 0;
            case DOES_NOT_EXIST -> values.isEmpty() && index < 0;
            case GT -> index >= 0 && compareAsIntegers(labels.valueAt(index)) > 0;
            case LT -> index >= 0 && compareAsIntegers(labels.valueAt(index)) < 0;
        };
    }

    /** Fields can be compared with In and NotIn and exactly one value; every other form matches nothing. */
    boolean matchesField(String name) {
        if (!NodeSelectorTerm.NAME_FIELD.equals(key) || values.size() != 1) {
            return false;
        }
        boolean same = values.getFirst().equals(name);
        return switch (operator) {
            case IN -> same;
            case NOT_IN -> !same;
            case EXISTS, DOES_NOT_EXIST, GT, LT -> false;
        };
    }

    /** The sign of label − value; 0, which neither Gt nor Lt accepts, where one of them is no integer. */
    private int compareAsIntegers(String labelValue) {
        if (values.size() != 1) {
            return 0;
        }
        OptionalLong label = WholeNumber.parse(labelValue);
        OptionalLong bound = WholeNumber.parse(values.getFirst());
        return label.isPresent() && bound.isPresent() ? Long.compare(label.getAsLong(), bound.getAsLong()) : 0;
    }
}
