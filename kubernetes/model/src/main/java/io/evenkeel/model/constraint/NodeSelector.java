package io.evenkeel.model.constraint;

import io.evenkeel.model.value.Labels;
import java.util.List;

/** Terms: a node must match at least one; without terms nothing matches. */
public record NodeSelector(List<NodeSelectorTerm> terms) {
    /** Whether a node with these labels and this name does. */
    public boolean matches(Labels labels, String name) {
        for (int i = 0; i < terms.size(); i++) {
            if (terms.get(i).matches(labels, name)) {
                return true;
            }
        }
        return false;
    }

    /** Whether some node might that has this value of the label, whatever else it is like. */
    public boolean allows(String label, String value) {
        return terms.stream().anyMatch(term -> term.allows(label, value));
    }

    /** Whether they match as far as labels go, whatever fields the terms name. */
    public boolean matchesLabels(Labels labels) {
        for (int i = 0; i < terms.size(); i++) {
            if (terms.get(i).matchesLabels(labels)) {
                return true;
            }
        }
        return false;
    }
}
