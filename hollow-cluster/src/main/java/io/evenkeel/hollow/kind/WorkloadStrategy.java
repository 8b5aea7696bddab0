package io.evenkeel.hollow.kind;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.json.Trees;
import io.evenkeel.hollow.kind.pod.PodDefaults;
import io.evenkeel.hollow.kind.storage.ClaimRules;
import io.evenkeel.hollow.status.FieldErrors;
import java.util.List;
import java.util.function.Consumer;

/** Deployments and their relatives: a template of pods, and a status that controllers write. */
final class WorkloadStrategy extends ReconciledStrategy {

    private final boolean scaled;
    private final Consumer<JsonObject> defaults;

    WorkloadStrategy(boolean scaled) {
        this(scaled, _ -> {});
    }

    WorkloadStrategy(boolean scaled, Consumer<JsonObject> defaults) {
        this.scaled = scaled;
        this.defaults = defaults;
    }

    @Override
    public void complete(JsonObject tree) {
        JsonObject spec = Trees.ensureObject(tree, "spec");
        if (scaled) {
            Trees.fill(spec, "replicas", 1);
            Trees.fill(Trees.ensureObject(tree, "status"), "replicas", 0);
        }
        Trees.ensureObject(tree, "status");
        defaults.accept(spec);
        Trees.object(spec, "template").ifPresent(template -> {
            Trees.ensureObject(template, "metadata");
            PodDefaults.fill(Trees.ensureObject(template, "spec"));
        });
    }

    @Override
    public void validate(JsonObject tree, FieldErrors errors) {
        List<JsonObject> templates = Trees.objects(tree, "spec", "volumeClaimTemplates");
        for (int i = 0; i < templates.size(); i++) {
            ClaimRules.check(
                    "spec.volumeClaimTemplates[" + i + "].spec", Trees.ensureObject(templates.get(i), "spec"), errors);
        }
    }
}
