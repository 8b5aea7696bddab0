package io.evenkeel.hollow.registry;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.model.json.Trees;

/** Requires of an event what it must say. Old events, in core/v1 without eventTime, need only agree about their namespace. */
final class EventRules {

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
                isNew ? "reportingController" : "reportingComponent", Trees.text(event, "reportingComponent"), errors);
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
