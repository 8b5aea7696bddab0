package io.evenkeel.hollow.registry;

import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import io.evenkeel.model.json.Trees;
import java.util.Optional;
import java.util.stream.Stream;

/** Conditions of pods and nodes. */
public final class Conditions {

    private Conditions() {}

    /** A pod's condition always shows its two times, null or not. */
    static void completePodCondition(JsonObject condition) {
        showTime(condition, "lastProbeTime");
        showTime(condition, "lastTransitionTime");
    }

    static void completeNodeCondition(JsonObject condition) {
        showTime(condition, "lastHeartbeatTime");
        showTime(condition, "lastTransitionTime");
    }

    public static JsonObject ofPod(String type, String status, String now) {
        return Trees.of("type", type, "status", status, "lastProbeTime", JsonNull.INSTANCE, "lastTransitionTime", now);
    }

    public static JsonObject ofPod(String type, String status, String now, String reason, String message) {
        JsonObject condition = ofPod(type, status, now);
        condition.addProperty("reason", reason);
        condition.addProperty("message", message);
        return condition;
    }

    /** A pod is to go, for this reason. */
    public static void disrupt(JsonObject pod, String now, String reason, String message) {
        put(pod, ofPod("DisruptionTarget", "True", now, reason, message));
    }

    /** The status of the condition of a type, if there is one. */
    public static Optional<String> status(JsonObject tree, String type) {
        return statuses(tree, type).findFirst();
    }

    /** Whether the condition of a type is true. */
    public static boolean holds(JsonObject tree, String type) {
        return statuses(tree, type).anyMatch("True"::equals);
    }

    private static Stream<String> statuses(JsonObject tree, String type) {
        return Trees.objects(tree, "status", "conditions").stream()
                .filter(condition -> Trees.text(condition, "type").equals(type))
                .map(condition -> Trees.text(condition, "status"));
    }

    /** Puts a condition in the place of the one of its type. */
    public static void put(JsonObject tree, JsonObject condition) {
        JsonArray conditions = Trees.ensureArray(Trees.ensureObject(tree, "status"), "conditions");
        String type = Trees.text(condition, "type");
        for (int i = 0; i < conditions.size(); i++) {
            if (Trees.text(conditions.get(i).getAsJsonObject(), "type").equals(type)) {
                conditions.set(i, condition);
                return;
            }
        }
        conditions.add(condition);
    }

    private static void showTime(JsonObject condition, String name) {
        if (!condition.has(name)) {
            condition.add(name, JsonNull.INSTANCE);
        }
    }
}
