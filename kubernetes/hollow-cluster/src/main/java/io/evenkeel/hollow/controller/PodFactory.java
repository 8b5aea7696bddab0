package io.evenkeel.hollow.controller;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.control.EventRecorder;
import io.evenkeel.hollow.control.Owner;
import io.evenkeel.hollow.json.Trees;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.ApiException;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.store.StoredObject;
import java.util.Locale;

/** Makes pods from the template of what owns them; they pass admission like any other. */
final class PodFactory {

    private final Registry registry;
    private final EventRecorder events;

    PodFactory(Registry registry, EventRecorder events) {
        this.registry = registry;
        this.events = events;
    }

    /** A pod of the owner's template, still without a name. */
    static JsonObject fromTemplate(ResourceType type, StoredObject owner) {
        JsonObject pod = new JsonObject();
        JsonObject metadata = Trees.ensureObject(pod, "metadata");
        for (String map : new String[] {"labels", "annotations"}) {
            Trees.object(owner.tree(), "spec", "template", "metadata", map)
                    .ifPresent(entries -> metadata.add(map, entries.deepCopy()));
        }
        metadata.add("ownerReferences", Owner.references(type, owner));
        pod.add(
                "spec",
                Trees.object(owner.tree(), "spec", "template", "spec")
                        .orElseGet(JsonObject::new)
                        .deepCopy());
        return pod;
    }

    void create(ResourceType type, StoredObject owner, JsonObject pod) {
        String component = type.kind().toLowerCase(Locale.ROOT) + "-controller";
        try {
            StoredObject created =
                    registry.create(ResourceTable.PODS, owner.key().namespace(), pod, false);
            events.normal(
                    type,
                    owner,
                    component,
                    "SuccessfulCreate",
                    "Created pod: " + created.key().name());
        } catch (ApiException e) {
            events.warning(type, owner, component, "FailedCreate", "Error creating: " + e.getMessage());
            throw e;
        }
    }
}
