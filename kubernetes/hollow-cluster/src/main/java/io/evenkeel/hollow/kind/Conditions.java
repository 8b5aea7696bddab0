package io.evenkeel.hollow.kind;

import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import io.evenkeel.model.json.Trees;

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
