package io.evenkeel.hollow.kind;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.json.Trees;

/** A disruption budget allows nothing until its controller has counted. */
final class DisruptionBudgetStrategy extends ReconciledStrategy {

    @Override
    public void complete(JsonObject tree) {
        JsonObject status = Trees.ensureObject(tree, "status");
        Trees.fill(status, "disruptionsAllowed", 0);
        Trees.fill(status, "currentHealthy", 0);
        Trees.fill(status, "desiredHealthy", 0);
        Trees.fill(status, "expectedPods", 0);
    }

    @Override
    public boolean allowsUnconditionalUpdate() {
        return false;
    }
}
