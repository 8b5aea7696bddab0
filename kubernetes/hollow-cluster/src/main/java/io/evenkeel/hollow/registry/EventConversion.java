package io.evenkeel.hollow.registry;

import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.FieldErrors;
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

    /** Requires of an event what it must say. Old events, in core/v1 without eventTime, need only agree about their namespace. */
    static final class EventRules {

        private static final int MAX_WORD = 128;
        private static final int MAX_MESSAGE = 1024;

        private EventRules() {}

        /** Checks the stored form of an event that arrives in a version. */
        static void check(ResourceType type, JsonObject event, FieldErrors errors) {
            boolean isNew = type.equals(ResourceTable.NEW_EVENTS);
            String namespace = Trees.text(event, "metadata", "namespace");
            String involved = Trees.text(event, "involvedObject", "namespace");
            if (!isNew && Trees.text(event, "eventTime").isEmpty()) {
                if (involved.isEmpty() ? !namespace.equals("default") : !namespace.equals(involved)) {
                    errors.invalid("involvedObject.namespace", involved, "does not match event.namespace");
                }
                return;
            }
            if (involved.isEmpty() && !namespace.equals("default") && !namespace.equals("kube-system")) {
                errors.invalid("involvedObject.namespace", involved, "does not match event.namespace");
            }
            controller(
                    isNew ? "reportingController" : "reportingComponent",
                    Trees.text(event, "reportingComponent"),
                    errors);
            word("reportingInstance", Trees.text(event, "reportingInstance"), errors);
            word("action", Trees.text(event, "action"), errors);
            if (Trees.text(event, "reason").isEmpty()) {
                errors.required("reason", "");
            }
            if (Trees.text(event, "message").length() > MAX_MESSAGE) {
                errors.invalid("message", "", "can have at most 1024 characters");
            }
            if (isNew && Trees.text(event, "eventTime").isEmpty()) {
                errors.required("eventTime", "");
            }
            String eventType = Trees.text(event, "type");
            if (isNew && !eventType.equals("Normal") && !eventType.equals("Warning")) {
                errors.invalid("type", "", "has invalid value: " + eventType);
            }
        }

        private static void controller(String field, String value, FieldErrors errors) {
            if (value.isEmpty()) {
                errors.required(field, "");
            }
            NameRules.labelKey(field, value, errors);
        }

        private static void word(String field, String value, FieldErrors errors) {
            if (value.isEmpty()) {
                errors.required(field, "");
            } else if (value.length() > MAX_WORD) {
                errors.invalid(field, "", "can have at most 128 characters");
            }
        }
    }
}
