package io.evenkeel.hollow.kind;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.status.FieldErrors;
import java.util.function.Consumer;

/** A kind of storage by its defaults and its rules; a deletion is answered with what was deleted, as for most of them. */
class StorageStrategy extends Strategy {

    /** What must hold of an object. */
    @FunctionalInterface
    interface Rules {
        void check(JsonObject tree, FieldErrors errors);
    }

    /** What must hold of a change. */
    @FunctionalInterface
    interface UpdateRules {
        void check(JsonObject updated, JsonObject current, FieldErrors errors);
    }

    private final boolean status;
    private final Consumer<JsonObject> defaults;
    private final Rules rules;
    private final UpdateRules updateRules;

    StorageStrategy(boolean status, Consumer<JsonObject> defaults, Rules rules, UpdateRules updateRules) {
        this.status = status;
        this.defaults = defaults;
        this.rules = rules;
        this.updateRules = updateRules;
    }

    @Override
    public void complete(JsonObject tree) {
        defaults.accept(tree);
    }

    @Override
    public void validate(JsonObject tree, FieldErrors errors) {
        rules.check(tree, errors);
    }

    @Override
    public void validateUpdate(JsonObject updated, JsonObject current, FieldErrors errors) {
        updateRules.check(updated, current, errors);
    }

    @Override
    protected boolean hasStatus() {
        return status;
    }

    @Override
    public boolean returnsDeleted() {
        return true;
    }
}
