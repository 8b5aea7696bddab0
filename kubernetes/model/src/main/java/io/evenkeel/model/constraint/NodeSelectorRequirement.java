package io.evenkeel.model.constraint;

import io.evenkeel.model.value.Labels;
import io.evenkeel.model.value.NameForm;
import io.evenkeel.model.value.NamedConstant;
import io.evenkeel.model.value.WholeNumber;
import java.util.List;
import java.util.OptionalLong;

/** One requirement on a node's labels or fields. */
public record NodeSelectorRequirement(String key, Operator operator, List<String> values) {

    public enum Operator implements NamedConstant {
        IN,
        NOT_IN,
        EXISTS,
        DOES_NOT_EXIST,
        GT,
        LT
    }

    /**
     * A requirement matches nothing that cannot be read: with values where none belong, without where some do, and with a key or a
     * value, one among others too, that no label can have.
     */
    public boolean matches(Labels labels) {
        int index = labels.find(key);
        boolean holds = switch (operator) {
            case IN -> index >= 0 && values.contains(labels.valueAt(index));
            case NOT_IN -> !values.isEmpty() && (index < 0 || !values.contains(labels.valueAt(index)));
            case EXISTS -> values.isEmpty() && index >= 0;
            case DOES_NOT_EXIST -> values.isEmpty() && index < 0;
            case GT -> index >= 0 && compareAsIntegers(labels.valueAt(index)) > 0;
            case LT -> index >= 0 && compareAsIntegers(labels.valueAt(index)) < 0;
        };
        return holds && isOfLabels();
    }

    /** As {@code disk In (ssd, nvme)}. */
    public String text() {
        return key + " " + operator.apiName() + (values.isEmpty() ? "" : " (" + String.join(", ", values) + ")");
    }

    /** Whether labels can have its key and each of its values. */
    public boolean isOfLabels() {
        for (int i = 0; i < values.size(); i++) {
            if (!NameForm.isLabelValue(values.get(i))) {
                return false;
            }
        }
        return NameForm.isLabelKey(key);
    }

    /** Nodes have no field but their name; any other is empty. */
    boolean matchesField(String name) {
        if (!isReadableField()) {
            return false;
        }
        boolean same = values.getFirst().equals(NodeSelectorTerm.NAME_FIELD.equals(key) ? name : "");
        return same == (operator == Operator.IN);
    }

    /** Fields can be compared with In and NotIn and exactly one value. */
    boolean isReadableField() {
        return values.size() == 1 && (operator == Operator.IN || operator == Operator.NOT_IN);
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
