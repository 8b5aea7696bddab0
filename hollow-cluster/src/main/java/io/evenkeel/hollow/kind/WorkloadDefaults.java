package io.evenkeel.hollow.kind;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.json.Trees;

/** How workloads change their pods when they do not say. */
final class WorkloadDefaults {

    private static final int REVISIONS = 10;
    private static final String STEP = "25%";

    private WorkloadDefaults() {}

    static void deployment(JsonObject spec) {
        Trees.fill(spec, "revisionHistoryLimit", REVISIONS);
        Trees.fill(spec, "progressDeadlineSeconds", 600);
        JsonObject strategy = Trees.ensureObject(spec, "strategy");
        Trees.fill(strategy, "type", "RollingUpdate");
        if (Trees.text(strategy, "type").equals("RollingUpdate")) {
            JsonObject rolling = Trees.ensureObject(strategy, "rollingUpdate");
            Trees.fill(rolling, "maxSurge", STEP);
            Trees.fill(rolling, "maxUnavailable", STEP);
        }
    }

    static void statefulSet(JsonObject spec) {
        Trees.fill(spec, "revisionHistoryLimit", REVISIONS);
        Trees.fill(spec, "podManagementPolicy", "OrderedReady");
        JsonObject strategy = Trees.ensureObject(spec, "updateStrategy");
        Trees.fill(strategy, "type", "RollingUpdate");
        if (Trees.text(strategy, "type").equals("RollingUpdate")) {
            Trees.fill(Trees.ensureObject(strategy, "rollingUpdate"), "partition", 0);
        }
    }
}
