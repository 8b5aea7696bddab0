package io.evenkeel.hollow.kind;

import com.google.gson.JsonObject;
import java.util.function.Consumer;

/** Kinds that answer a deletion with the deleted object. */
class ReturningStrategy extends Strategy {

    private final boolean status;
    private final Consumer<JsonObject> defaults;

    ReturningStrategy(boolean status) {
        this(status, _ -> {});
    }

    ReturningStrategy(boolean status, Consumer<JsonObject> defaults) {
        this.status = status;
        this.defaults = defaults;
    }

    @Override
    public void complete(JsonObject tree) {
        defaults.accept(tree);
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
