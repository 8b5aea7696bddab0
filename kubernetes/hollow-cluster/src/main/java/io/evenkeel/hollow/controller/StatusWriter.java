package io.evenkeel.hollow.controller;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.Conditions;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Puts together a status: what is zero is left out, and a condition keeps its time until it changes. */
final class StatusWriter {
    /** The condition of ReplicaSets and Deployments that are refused pods. */
    static final String FAILURE = "ReplicaFailure";

    private final StoredObject object;
    private final JsonObject status = new JsonObject();
    private final List<JsonObject> conditions = new ArrayList<>();

    StatusWriter(StoredObject object) {
        this.object = object;
        Trees.number(object.tree(), "metadata", "generation")
                .ifPresent(generation -> status.addProperty("observedGeneration", generation));
    }

    StatusWriter always(String name, long value) {
        status.addProperty(name, value);
        return this;
    }

    StatusWriter count(String name, long value) {
        if (value != 0) {
            status.addProperty(name, value);
        }
        return this;
    }

    StatusWriter text(String name, String value) {
        status.addProperty(name, value);
        return this;
    }

    StatusWriter condition(String type, boolean holds, String reason, String message) {
        conditions.add(Trees.of(
                "type", type,
                "status", holds ? "True" : "False",
                "reason", reason,
                "message", message));
        return this;
    }

    /** Says why pods are refused; nothing where none is. */
    StatusWriter failure(Optional<String> refusal) {
        refusal.ifPresent(why -> condition(FAILURE, true, "FailedCreate", why));
        return this;
    }

    /** Keeps a pod in the list of pods that had an eviction allowed at a time. */
    void disrupted(String pod, String since) {
        Trees.ensureObject(status, "disruptedPods").addProperty(pod, since);
    }

    /** Writes the status, if it is another than there is. */
    void write(Registry registry, ResourceType type) {
        String now = registry.times().now();
        registry.edit(type, object.key(), tree -> {
            JsonObject next = status.deepCopy();
            List<JsonObject> before = Trees.objects(tree, "status", "conditions");
            tree.add("status", next);
            conditions.forEach(condition -> {
                JsonObject dated = condition.deepCopy();
                dated.addProperty("lastTransitionTime", since(before, condition, now));
                Conditions.put(tree, dated);
            });
        });
    }

    private static String since(List<JsonObject> before, JsonObject condition, String now) {
        return before.stream()
                .filter(each -> Trees.text(each, "type").equals(Trees.text(condition, "type")))
                .filter(each -> Trees.text(each, "status").equals(Trees.text(condition, "status")))
                .map(each -> Trees.text(each, "lastTransitionTime"))
                .findFirst()
                .orElse(now);
    }
}
