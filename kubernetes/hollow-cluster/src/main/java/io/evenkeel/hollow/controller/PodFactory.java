package io.evenkeel.hollow.controller;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.Refusals.ApiException;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.workload.Templates;
import java.util.Locale;

/** Makes pods from the template of what owns them; they pass admission like any other. */
record PodFactory(Registry registry, EventRecorder events) {
    /** A pod of the owner's template, still without a name. */
    static JsonObject fromTemplate(ResourceType type, StoredObject owner) {
        return owned(Templates.pod(owner.tree()), type, owner);
    }

    /** Names the owner of an object. */
    static JsonObject owned(JsonObject object, ResourceType type, StoredObject owner) {
        object.getAsJsonObject("metadata").add("ownerReferences", Owner.references(type, owner));
        return object;
    }

    void create(ResourceType type, StoredObject owner, JsonObject pod) {
        String component = type.kind().toLowerCase(Locale.ROOT) + "-controller";
        try {
            StoredObject created = registry.create(ResourceTable.PODS, owner.namespace(), pod, false);
            events.normal(type, owner, component, "SuccessfulCreate", "Created pod: " + created.name());
        } catch (ApiException e) {
            events.warning(type, owner, component, "FailedCreate", "Error creating: " + e.getMessage());
            throw e;
        }
    }
}
