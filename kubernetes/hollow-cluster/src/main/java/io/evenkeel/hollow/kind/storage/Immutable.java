package io.evenkeel.hollow.kind.storage;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.model.json.Trees;
import java.util.Optional;

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
            errors.invalidLiteral(field, Shown.value(value), WHY);
        }
    }
}
