package io.evenkeel.hollow.kind;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.json.Trees;
import io.evenkeel.hollow.status.FieldErrors;

/** A priority's value never changes, since pods have copied it. */
final class PriorityClassStrategy extends Strategy {

    @Override
    public void complete(JsonObject tree) {
        Trees.fill(tree, "value", 0);
        Trees.fill(tree, "preemptionPolicy", "PreemptLowerPriority");
        if (!Trees.isTrue(tree, "globalDefault")) {
            tree.remove("globalDefault");
        }
    }

    @Override
    public void validateUpdate(JsonObject updated, JsonObject current, FieldErrors errors) {
        if (!updated.get("value").equals(current.get("value"))) {
            errors.forbidden("value", "may not be changed in an update.");
        }
    }
}
