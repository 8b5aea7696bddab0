package io.evenkeel.model;

import java.util.List;

/** Terms of which a node must match at least one; without terms nothing matches. */
public record NodeSelector(List<NodeSelectorTerm> terms) {
    public boolean matches(Node node) {
        for (int i = 0; i < terms.size(); i++) {
            if (terms.get(i).matches(node)) {
                return true;
            }
        }
        return false;
    }
}
