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
public record Pivot(String key, String value, boolean valueMatters) {
    /** Every label set has it. */
    public static final Pivot ANY = new Pivot("", "", false);

    /** An In requirement of more values pivots on its key, so that no selector is filed more often than this. */
    public static final int MOST_VALUES = ValueSet.MOST_LISTED;

    public static Pivot key(String key) {
        return new Pivot(key, "", false);
    }

    public static Pivot pair(String key, String value) {
        return new Pivot(key, value, true);
    }

    /** Returns pivots: each label set that the selector matches has one of them. A selector that matches nothing has none. */
    public static List<Pivot> of(LabelSelector selector) {
        if (selector.matchesNothing()) {
            return List.of();
        }
        Pivot coarse = ANY;
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
        for (Pivot pivot : of(selector)) {
            coarsest = Math.max(coarsest, pivot.equals(ANY) ? 2 : pivot.valueMatters() ? 0 : 1);
        }
        return coarsest;
    }
}
