package io.evenkeel.hollow.kind;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.model.json.Trees;
import java.util.Optional;
import java.util.function.Function;

/** The growth of claims, which their class has to allow. */
record Expansion(Function<String, Optional<JsonObject>> storageClasses) {

    void check(JsonObject updated, JsonObject current) {
        boolean grows = ClaimRules.requested(updated).compareTo(ClaimRules.requested(current)) > 0;
        boolean allowed = storageClasses
                .apply(Trees.text(updated, "spec", "storageClassName"))
                .filter(storageClass -> Trees.isTrue(storageClass, "allowVolumeExpansion"))
                .isPresent();
        if (grows && !allowed) {
            throw Refusals.forbidden(
                    ResourceTable.PERSISTENT_VOLUME_CLAIMS,
                    Trees.text(current, "metadata", "name"),
                    "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must"
                            + " support resize");
        }
    }
}
