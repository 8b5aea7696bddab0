package io.evenkeel.model.storage;

import io.evenkeel.model.value.Labels;
import java.util.List;

/** The labels that a node needs for volumes to be made near it; all requirements must hold. */
public record TopologyTerm(List<Requirement> requirements) {

    /** A label that a node must have, with one of these values. */
    public record Requirement(String key, List<String> values) {
        boolean holds(Labels labels) {
            int index = labels.find(key);
            return index >= 0 && values.contains(labels.valueAt(index));
        }
    }

    /** A term without requirements holds nowhere. */
    public boolean holds(Labels labels) {
        for (int i = 0; i < requirements.size(); i++) {
            if (!requirements.get(i).holds(labels)) {
                return false;
            }
        }
        return !requirements.isEmpty();
    }

    /** Whether one of the terms holds, or there is none. */
    public static boolean anyHolds(List<TopologyTerm> terms, Labels labels) {
        for (int i = 0; i < terms.size(); i++) {
            if (terms.get(i).holds(labels)) {
                return true;
            }
        }
        return terms.isEmpty();
    }
}
