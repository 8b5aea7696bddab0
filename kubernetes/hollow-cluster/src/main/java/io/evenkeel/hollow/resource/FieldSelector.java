package io.evenkeel.hollow.resource;

import com.google.gson.JsonObject;
import io.evenkeel.model.json.Trees;
import java.util.ArrayList;
import java.util.List;

/** Requirements on a few fields, which ones depends on the resource. */
public record FieldSelector(List<FieldRequirement> requirements) {

    public static final FieldSelector EVERYTHING = new FieldSelector(List.of());

    public FieldSelector {
        requirements = List.copyOf(requirements);
    }

    public static FieldSelector parse(String text, ResourceType type) {
        if (text.isBlank()) {
            return EVERYTHING;
        }
        List<FieldRequirement> requirements = new ArrayList<>();
        for (String term : text.split(",", -1)) {
            if (!term.isEmpty()) {
                requirements.add(requirement(term, text, type));
            }
        }
        return new FieldSelector(requirements);
    }

    private static FieldRequirement requirement(String term, String text, ResourceType type) {
        int equals = term.indexOf('=');
        if (equals < 1) {
            throw Refusals.badRequest("invalid selector: '%s'; can't understand '%s'".formatted(text, term));
        }
        boolean negated = term.charAt(equals - 1) == '!';
        String field = term.substring(0, negated ? equals - 1 : equals);
        String value = term.substring(term.startsWith("==", equals) ? equals + 2 : equals + 1);
        if (!SelectableFields.of(type).contains(field)) {
            throw Refusals.badRequest("field label not supported: " + field);
        }
        return new FieldRequirement(field, value, negated);
    }

    public boolean isEverything() {
        return requirements.isEmpty();
    }

    public boolean matches(JsonObject tree) {
        return requirements.stream().allMatch(requirement -> requirement.matches(tree));
    }

    /** One field and the value it must have, or must not have. */
    public record FieldRequirement(String field, String value, boolean negated) {

        boolean matches(JsonObject tree) {
            String actual = Trees.text(tree, SelectableFields.path(field));
            if (actual.isEmpty()) {
                actual = SelectableFields.whenMissing(field);
            }
            return actual.equals(value) != negated;
        }
    }
}
