package io.evenkeel.hollow.registry;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.model.json.Trees;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** Fields that stay as they were created. */
final class Immutable {

    static final String WHY = "field is immutable";

    private Immutable() {}

    /** Refuses a change of the member of that name. */
    static void check(String member, JsonObject updated, JsonObject current, FieldErrors errors) {
        check(member, member, updated, current, errors);
    }

    /** Compares a text, which is empty if it is missing. */
    static void text(String member, JsonObject updated, JsonObject current, FieldErrors errors) {
        String value = Trees.text(updated, member);
        if (!value.equals(Trees.text(current, member))) {
            errors.invalid(member, value, WHY);
        }
    }

    static void check(String field, String member, JsonObject updated, JsonObject current, FieldErrors errors) {
        Optional<JsonElement> value = Trees.at(updated, member);
        if (!value.equals(Trees.at(current, member))) {
            errors.invalidLiteral(field, shown(value), WHY);
        }
    }

    static String shown(Optional<JsonElement> value) {
        return value.map(JsonElement::toString).orElse("null");
    }

    /** The members in which two objects differ, in the order of the alphabet. */
    static SortedSet<String> changed(JsonObject before, JsonObject after) {
        JsonObject one = withoutEmpty(before);
        JsonObject other = withoutEmpty(after);
        SortedSet<String> changed = new TreeSet<>(one.keySet());
        changed.addAll(other.keySet());
        changed.removeIf(member -> Objects.equals(one.get(member), other.get(member)));
        return changed;
    }

    /** A text that is empty, and false, are as if they were missing, but for names of classes. */
    private static JsonObject withoutEmpty(JsonObject tree) {
        JsonObject copy = new JsonObject();
        tree.asMap().forEach((name, value) -> {
            boolean isEmpty = value instanceof JsonPrimitive
                    && List.of("", "false").contains(value.getAsString())
                    && !name.endsWith("ClassName");
            if (!isEmpty) {
                copy.add(name, value instanceof JsonObject object ? withoutEmpty(object) : value);
            }
        });
        return copy;
    }
}
