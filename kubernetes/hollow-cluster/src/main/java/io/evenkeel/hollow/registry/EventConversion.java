package io.evenkeel.hollow.registry;

import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.model.json.Trees;
import java.util.Map;

/** Events are served in two versions and kept as core/v1; these are the names that differ. */
public final class EventConversion {

    private static final Map<String, String> NEW_NAMES = Map.of(
            "involvedObject", "regarding",
            "message", "note",
            "source", "deprecatedSource",
            "firstTimestamp", "deprecatedFirstTimestamp",
            "lastTimestamp", "deprecatedLastTimestamp",
            "count", "deprecatedCount",
            "reportingComponent", "reportingController");

    private EventConversion() {}

    /** The stored form; the tree given may become part of it. */
    public static JsonObject toStored(ResourceType type, JsonObject tree) {
        return type.equals(ResourceTable.NEW_EVENTS) ? renamed(tree, true) : tree;
    }

    /** The form in which a version shows it; the tree given stays as it is. */
    public static JsonObject toServed(ResourceType type, JsonObject tree) {
        if (type.equals(ResourceTable.NEW_EVENTS)) {
            JsonObject served = renamed(tree, false);
            show(served, "eventTime", "deprecatedFirstTimestamp", "deprecatedLastTimestamp");
            Trees.ensureObject(served, "deprecatedSource");
            return served;
        }
        if (type.equals(ResourceTable.EVENTS)) {
            JsonObject served = renamed(tree, false, Map.of());
            show(served, "eventTime", "firstTimestamp", "lastTimestamp");
            Trees.ensureObject(served, "source");
            Trees.fill(served, "reportingComponent", "");
            Trees.fill(served, "reportingInstance", "");
            return served;
        }
        return tree;
    }

    private static void show(JsonObject tree, String... times) {
        for (String time : times) {
            if (!tree.has(time)) {
                tree.add(time, JsonNull.INSTANCE);
            }
        }
    }

    private static JsonObject renamed(JsonObject tree, boolean back) {
        return renamed(tree, back, NEW_NAMES);
    }

    private static JsonObject renamed(JsonObject tree, boolean back, Map<String, String> names) {
        JsonObject renamed = new JsonObject();
        tree.entrySet().forEach(member -> renamed.add(nameOf(member.getKey(), back, names), member.getValue()));
        return renamed;
    }

    private static String nameOf(String name, boolean back, Map<String, String> names) {
        if (!back) {
            return names.getOrDefault(name, name);
        }
        return names.entrySet().stream()
                .filter(entry -> entry.getValue().equals(name))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(name);
    }
}
