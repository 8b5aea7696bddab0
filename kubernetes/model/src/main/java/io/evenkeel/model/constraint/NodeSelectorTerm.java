package io.evenkeel.model.constraint;

import io.evenkeel.model.value.Labels;
import java.util.List;

/** Requirements on a node that must all hold; a term without any matches no node, and neither does one that cannot be read. */
public record NodeSelectorTerm(
        List<NodeSelectorRequirement> matchExpressions, List<NodeSelectorRequirement> matchFields) {

    /** The one field that nodes can be selected by. */
    public static final String NAME_FIELD = "metadata.name";

    public boolean isEmpty() {
        return matchExpressions.isEmpty() && matchFields.isEmpty();
    }

    public boolean matches(Labels labels, String name) {
        if (!matchesLabels(labels)) {
            return false;
        }
        for (int i = 0; i < matchFields.size(); i++) {
            if (!matchFields.get(i).matchesField(name)) {
                return false;
            }
        }
        return true;
    }

    boolean allows(String label, String value) {
        Labels known = Labels.of(label, value);
        return !isEmpty()
                && matchExpressions.stream()
                        .filter(expression -> expression.key().equals(label))
                        .allMatch(expression -> expression.matches(known));
    }

    /** Whether it matches as far as labels go: whatever the fields are that it names. */
    public boolean matchesLabels(Labels labels) {
        if (isEmpty()) {
            return false;
        }
        for (int i = 0; i < matchExpressions.size(); i++) {
            if (!matchExpressions.get(i).matches(labels)) {
                return false;
            }
        }
        return hasReadableFields();
    }

    /** Else it matches nothing, even where its fields are not looked at. */
    public boolean hasReadableFields() {
        for (int i = 0; i < matchFields.size(); i++) {
            if (!matchFields.get(i).isReadableField()) {
                return false;
            }
        }
        return true;
    }
}
