package io.evenkeel.model.value;

import io.evenkeel.model.value.LabelRequirement.Operator;
import java.util.List;

/**
 * The least that a label set needs for a selector to match it, coarse enough to file the selector by: a key with one of few
 * values, a key with whatever value, or nothing in particular.
 *
 * <pre>{@code
 * app=web, !batch               app=web
 * app in (db, web)              app=db or app=web
 * app in (a0, a1, … a9999)      app
 * tier, app in (a0, … a9999)    app
 * app notin (web)               ANY
 * the selector of nothing       none
 * }</pre>
 *
 * @param key empty for {@link #ANY}
 * @param value empty where it does not matter
 */
public record FilingLabel(String key, String value, boolean valueMatters) {
    /** Every label set has it. */
    public static final FilingLabel ANY = new FilingLabel("", "", false);

    /** An In requirement of more values is filed by its key, so that no selector is filed more often than this. */
    public static final int MOST_VALUES = ValueSet.MOST_LISTED;

    public static FilingLabel key(String key) {
        return new FilingLabel(key, "", false);
    }

    public static FilingLabel pair(String key, String value) {
        return new FilingLabel(key, value, true);
    }

    /** Returns filing labels: each label set that the selector matches has one of them. A selector that matches nothing has none. */
    public static List<FilingLabel> of(LabelSelector selector) {
        if (selector.matchesNothing()) {
            return List.of();
        }
        FilingLabel coarse = ANY;
        for (LabelRequirement requirement : selector.requirements()) {
            if (requirement.operator() == Operator.IN && requirement.values().size() <= MOST_VALUES) {
                return requirement.values().stream()
                        .map(value -> pair(requirement.key(), value))
                        .toList();
            }
            if (requirement.operator() == Operator.IN || requirement.operator() == Operator.EXISTS) {
                coarse = coarse.equals(ANY) ? key(requirement.key()) : coarse;
            }
        }
        return List.of(coarse);
    }

    /** 0 where only few labels match, 1 where the key alone is asked for, 2 where all label sets are to be tried. */
    public static int coarseness(LabelSelector selector) {
        int coarsest = 0;
        for (FilingLabel label : of(selector)) {
            coarsest = Math.max(coarsest, label.equals(ANY) ? 2 : label.valueMatters() ? 0 : 1);
        }
        return coarsest;
    }
}
