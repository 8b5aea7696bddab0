package io.evenkeel.model.value;

import java.util.List;
import java.util.stream.Collectors;

/** Label selectors as kubectl writes them: {@code app=web,tier in (a,b)}. */
public final class SelectorText {
    private static final int MOST_VALUES_SHOWN = 16;

    private SelectorText() {}

    /** {@code <none>} for one that matches nothing; empty for one that matches everything. */
    public static String of(LabelSelector selector) {
        if (selector.matchesNothing()) {
            return "<none>";
        }
        return selector.requirements().stream().map(SelectorText::of).collect(Collectors.joining(","));
    }

    private static String of(LabelRequirement requirement) {
        String values = of(requirement.values());
        return switch (requirement.operator()) {
            case IN ->
                requirement.values().size() == 1
                        ? requirement.key() + "=" + values
                        : requirement.key() + " in (" + values + ")";
            case NOT_IN -> requirement.key() + " notin (" + values + ")";
            case EXISTS -> requirement.key();
            case DOES_NOT_EXIST -> "!" + requirement.key();
        };
    }

    /** All of them, or the first of many: a selector may have ten thousand, and metrics a label of them. */
    private static String of(List<String> values) {
        if (values.size() <= MOST_VALUES_SHOWN) {
            return String.join(",", values);
        }
        return String.join(",", values.subList(0, MOST_VALUES_SHOWN)) + " and " + (values.size() - MOST_VALUES_SHOWN)
                + " more";
    }
}
