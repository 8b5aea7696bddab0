package io.evenkeel.hollow.controller;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.NameRules;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.Refusals.ApiException;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;

/** Writes Events about objects, or none at all where they would only be load. */
record EventRecorder(Registry registry, boolean enabled) {
    void normal(ResourceType type, StoredObject about, String component, String reason, String message) {
        record(type, about, component, "Normal", reason, message);
    }

    void warning(ResourceType type, StoredObject about, String component, String reason, String message) {
        record(type, about, component, "Warning", reason, message);
    }

    private void record(
            ResourceType type, StoredObject about, String component, String kind, String reason, String message) {
        if (!enabled) {
            return;
        }
        String namespace = about.namespace().isEmpty() ? "default" : about.namespace();
        String now = registry.times().now();
        JsonObject metadata =
                Trees.of("name", about.name() + "." + NameRules.randomLetters(16), "namespace", namespace);
        JsonObject regarding = Trees.of(
                "apiVersion", type.apiVersion(),
                "kind", type.kind(),
                "name", about.name(),
                "namespace", about.namespace(),
                "uid", about.uid());
        JsonObject event = Trees.of("metadata", metadata, "involvedObject", regarding, "reason", reason);
        event.addProperty("message", message);
        event.add("source", Trees.of("component", component));
        event.addProperty("firstTimestamp", now);
        event.addProperty("lastTimestamp", now);
        event.addProperty("count", 1);
        event.addProperty("type", kind);
        try {
            registry.create(ResourceTable.EVENTS, namespace, event, false);
        } catch (ApiException e) {
            // the namespace goes away: so would the event
        }
    }
}
