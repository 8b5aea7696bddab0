package io.evenkeel.hollow.kind.storage;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.kind.field.AmountRules;
import io.evenkeel.hollow.kind.field.NameRules;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.model.json.Trees;

/** The rules of CSIStorageCapacities, in the order in which a real server names violations. */
public final class CapacityRules {

    private CapacityRules() {}

    public static void check(JsonObject tree, FieldErrors errors) {
        Trees.object(tree, "nodeTopology")
                .ifPresent(topology -> SelectorRules.labels("nodeTopology", topology, errors));
        NameRules.subdomain("storageClassName", Trees.text(tree, "storageClassName"), errors);
        String capacity = Trees.text(tree, "capacity");
        if (!capacity.isEmpty()) {
            AmountRules.notNegative("capacity", capacity, errors);
        }
    }

    public static void checkUpdate(JsonObject updated, JsonObject current, FieldErrors errors) {
        Immutable.check("nodeTopology", updated, current, errors);
        Immutable.text("storageClassName", updated, current, errors);
    }
}
