package io.evenkeel.hollow.controller;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.ObjectNames;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.ApiException;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;

/** Writes Events about objects, or none at all where they would only be load. */
public final class EventRecorder {

    private final Registry registry;
    private final boolean enabled;

    public EventRecorder(Registry registry, boolean enabled) {
        this.registry = registry;
        this.enabled = enabled;
    }

    /** Says what has become of an object. */
    public void normal(ResourceType type, StoredObject about, String component, String reason, String message) {
        record(type, about, component, "Normal", reason, message);
    }

    public void warning(ResourceType type, StoredObject about, String component, String reason, String message) {
        record(type, about, component, "Warning", reason, message);
    }

    private void record(
            ResourceType type, StoredObject about, String component, String kind, String reason, String message) {
        if (!enabled) {
            return;
        }
        String namespace =
                about.key().namespace().isEmpty() ? "default" : about.key().namespace();
        String now = registry.times().now();
        JsonObject regarding = new JsonObject();
        regarding.addProperty("apiVersion", type.apiVersion());
        regarding.addProperty("kind", type.kind());
        regarding.addProperty("name", about.key().name());
        regarding.addProperty("namespace", about.key().namespace());
        regarding.addProperty("uid", Trees.text(about.tree(), "metadata", "uid"));
        JsonObject source = new JsonObject();
        source.addProperty("component", component);
        JsonObject event = new JsonObject();
        JsonObject metadata = Trees.ensureObject(event, "metadata");
        metadata.addProperty("name", about.key().name() + "." + ObjectNames.randomLetters(16));
        metadata.addProperty("namespace", namespace);
        event.add("involvedObject", regarding);
        event.addProperty("reason", reason);
        event.addProperty("message", message);
        event.add("source", source);
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
