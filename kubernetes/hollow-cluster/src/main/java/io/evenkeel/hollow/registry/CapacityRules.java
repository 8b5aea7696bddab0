package io.evenkeel.hollow.registry;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.NameRules.AmountRules;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.model.json.Trees;

/** The rules of CSIStorageCapacities, in the order in which a real server names violations. */
final class CapacityRules {

    private CapacityRules() {}

    static void check(JsonObject tree, FieldErrors errors) {
        Trees.object(tree, "nodeTopology")
                .ifPresent(topology -> SelectorRules.labels("nodeTopology", topology, errors));
        NameRules.subdomain("storageClassName", Trees.text(tree, "storageClassName"), errors);
        String capacity = Trees.text(tree, "capacity");
        if (!capacity.isEmpty()) {
            AmountRules.notNegative("capacity", capacity, errors);
        }
    }

    static void checkUpdate(JsonObject updated, JsonObject current, FieldErrors errors) {
        Immutable.check("nodeTopology", updated, current, errors);
        Immutable.text("storageClassName", updated, current, errors);
    }
}
