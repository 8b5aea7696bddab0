package io.evenkeel.hollow.kind;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.json.Trees;

/** What requests for devices say where nothing was said; a scheduler takes no claim without. */
final class DeviceDefaults {
    private static final String EXACT_COUNT = "ExactCount";

    private DeviceDefaults() {}

    static void claim(JsonObject tree) {
        spec(Trees.ensureObject(tree, "spec"));
        Trees.ensureObject(tree, "status");
    }

    static void template(JsonObject tree) {
        spec(Trees.ensureObject(Trees.ensureObject(tree, "spec"), "spec"));
    }

    private static void spec(JsonObject spec) {
        for (JsonObject request : Trees.objects(spec, "devices", "requests")) {
            Trees.object(request, "exactly").ifPresent(DeviceDefaults::request);
            Trees.objects(request, "firstAvailable").forEach(DeviceDefaults::request);
        }
    }

    private static void request(JsonObject request) {
        Trees.fill(request, "allocationMode", EXACT_COUNT);
        if (Trees.text(request, "allocationMode").equals(EXACT_COUNT)) {
            Trees.fill(request, "count", 1);
        }
        Trees.objects(request, "tolerations").forEach(toleration -> Trees.fill(toleration, "operator", "Equal"));
    }
}
