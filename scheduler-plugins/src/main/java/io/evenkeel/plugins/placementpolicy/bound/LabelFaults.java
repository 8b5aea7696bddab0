package io.evenkeel.plugins.placementpolicy.bound;

import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.model.value.LabelRequirement;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.NameForm;
import java.util.List;
import java.util.Optional;

/** Finds labels that nothing can ever match; each check gives the first fault, behind the field. */
final class LabelFaults {
    private LabelFaults() {}

    static Optional<String> inKey(String field, String key) {
        return NameForm.isLabelKey(key)
                ? Optional.empty()
                : Optional.of(field + ": must be the key of a label, such as \"name\" or \"example.com/name\" with "
                        + NameForm.LONGEST_NAME + " characters at most behind the slash, got " + Excerpt.quoted(key));
    }

    static Optional<String> inKeys(String field, List<String> keys) {
        return keys.stream().flatMap(key -> inKey(field, key).stream()).findFirst();
    }

    static Optional<String> inValues(String field, List<String> values) {
        return values.stream()
                .filter(value -> !NameForm.isLabelValue(value))
                .findFirst()
                .map(value -> field + ": must be values of a label, such as \"my-value_1.0\" with "
                        + NameForm.LONGEST_NAME + " characters at most, got " + Excerpt.quoted(value));
    }

    static Optional<String> inSelector(String field, LabelSelector selector) {
        return selector.requirements().stream()
                .flatMap(requirement -> inRequirement(field, requirement).stream())
                .findFirst();
    }

    private static Optional<String> inRequirement(String field, LabelRequirement requirement) {
        return inKey(field, requirement.key())
                .or(() -> inNumberOfValues(field, requirement))
                .or(() -> inValues(field, requirement.values()));
    }

    private static Optional<String> inNumberOfValues(String field, LabelRequirement requirement) {
        boolean hasNone = requirement.values().isEmpty();
        String what = field + ": " + requirement.operator().apiName() + " of " + requirement.key();
        return switch (requirement.operator()) {
            case IN, NOT_IN -> hasNone ? Optional.of(what + " needs values") : Optional.empty();
            case EXISTS, DOES_NOT_EXIST -> hasNone ? Optional.empty() : Optional.of(what + " takes no values");
        };
    }
}
