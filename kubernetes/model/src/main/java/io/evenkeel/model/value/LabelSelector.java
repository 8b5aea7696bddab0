package io.evenkeel.model.value;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A label selector. An absent selector matches nothing, an empty one everything; both are values here, so nobody has
 * to remember which is which. Requirements are kept in one order so that equal selectors are equal records.
 *
 * @since 0.1
 */
public record LabelSelector(boolean matchesNothing, List<LabelRequirement> requirements) {
    // Before the constants: their construction sorts with it.
    private static final Comparator<LabelRequirement> ORDER = Comparator.comparing(LabelRequirement::key)
            .thenComparing(LabelRequirement::operator)
            .thenComparing(LabelRequirement::values, LabelSelector::compare);

    public static final LabelSelector NOTHING = new LabelSelector(true, List.of());
    public static final LabelSelector EVERYTHING = new LabelSelector(false, List.of());

    public LabelSelector {
        requirements = requirements.stream().sorted(ORDER).distinct().toList();
    }

    public static LabelSelector of(List<LabelRequirement> requirements) {
        return requirements.isEmpty() ? EVERYTHING : new LabelSelector(false, requirements);
    }

    public static LabelSelector matchingLabels(Labels labels) {
        List<LabelRequirement> all = new ArrayList<>();
        for (int i = 0; i < labels.size(); i++) {
            all.add(LabelRequirement.equalTo(labels.keyAt(i), labels.valueAt(i)));
        }
        return of(all);
    }

    public static LabelSelector matchingLabels(Map<String, String> labels) {
        return matchingLabels(Labels.of(labels));
    }

    private static int compare(List<String> values, List<String> others) {
        int common = Math.min(values.size(), others.size());
        for (int i = 0; i < common; i++) {
            int order = values.get(i).compareTo(others.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(values.size(), others.size());
    }

    /** Whether this is the empty selector, which matches everything. */
    public boolean matchesEverything() {
        return !matchesNothing && requirements.isEmpty();
    }

    public boolean matches(Labels labels) {
        if (matchesNothing) {
            return false;
        }
        for (int i = 0; i < requirements.size(); i++) {
            if (!requirements.get(i).matches(labels)) {
                return false;
            }
        }
        return true;
    }

    /** Both selectors' requirements together; nothing stays nothing. */
    public LabelSelector and(List<LabelRequirement> more) {
        if (matchesNothing || more.isEmpty()) {
            return this;
        }
        List<LabelRequirement> all = new ArrayList<>(requirements);
        all.addAll(more);
        return new LabelSelector(false, all);
    }

    /** As records are compared, but without an iterator for the list: each pod's selectors are, with those of others. */
    @Override
    public boolean equals(Object other) {
        if (!(other instanceof LabelSelector that)
                || matchesNothing != that.matchesNothing
                || requirements.size() != that.requirements.size()) {
            return false;
        }
        for (int i = 0; i < requirements.size(); i++) {
            if (!requirements.get(i).equals(that.requirements.get(i))) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        return 31 * requirements.hashCode() + Boolean.hashCode(matchesNothing);
    }

    /** The label keys that decide whether this selector matches. */
    public Set<String> keys() {
        Set<String> keys = new LinkedHashSet<>();
        requirements.forEach(requirement -> keys.add(requirement.key()));
        return keys;
    }
}
