package io.evenkeel.hollow.kind;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.status.FieldErrors;
import java.util.function.Consumer;

/** Kinds of storage, by their defaults and their rules. */
class StorageStrategy extends ReturningStrategy {

    /** The rules of objects. */
    @FunctionalInterface
    interface Rules {
        void check(JsonObject tree, FieldErrors errors);
    }

    /** The rules of changes. */
    @FunctionalInterface
    interface UpdateRules {
        void check(JsonObject updated, JsonObject current, FieldErrors errors);
    }

    private final Rules rules;
    private final UpdateRules updateRules;

    StorageStrategy(boolean status, Consumer<JsonObject> defaults, Rules rules, UpdateRules updateRules) {
        super(status, defaults);
        this.rules = rules;
        this.updateRules = updateRules;
    }

    @Override
    public void validate(JsonObject tree, FieldErrors errors) {
        rules.check(tree, errors);
    }

    @Override
    public void validateUpdate(JsonObject updated, JsonObject current, FieldErrors errors) {
        updateRules.check(updated, current, errors);
    }
}
