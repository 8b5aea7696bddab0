package io.evenkeel.hollow.resource;

import com.google.gson.JsonObject;

/** One reason for a refusal; the field is empty where none is to blame. */
record Cause(String reason, String message, String field) {

    JsonObject tree() {
        JsonObject tree = new JsonObject();
        tree.addProperty("reason", reason);
        tree.addProperty("message", message);
        if (!field.isEmpty()) {
            tree.addProperty("field", field);
        }
        return tree;
    }

    String sentence() {
        return field + ": " + message;
    }
}
