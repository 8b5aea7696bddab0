package io.evenkeel.hollow.registry;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import io.evenkeel.schema.TypeMeta;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** How many replicas a workload has and shall have, in a shape that is the same for all workloads. */
public final class Scale {

    public static final TypeMeta TYPE = new TypeMeta("autoscaling/v1", "Scale");

    private final Registry registry;

    public Scale(Registry registry) {
        this.registry = registry;
    }

    public JsonObject get(ResourceType type, String namespace, String name) {
        return of(registry.get(type, namespace, name).tree());
    }

    /** Scales to what {@code change} makes of the present scale. */
    public JsonObject change(ResourceType type, String namespace, String name, UnaryOperator<JsonObject> change) {
        StoredObject changed = registry.change(type, namespace, name, false, workload -> {
            JsonObject wanted = change.apply(of(workload));
            String version = Trees.text(wanted, "metadata", "resourceVersion");
            if (!version.isEmpty() && !version.equals(Trees.text(workload, "metadata", "resourceVersion"))) {
                throw Refusals.modified(type, name);
            }
            long before = Trees.number(workload, "spec", "replicas").orElse(1L);
            long after = Trees.number(wanted, "spec", "replicas").orElse(0L);
            if (after != before) {
                Trees.ensureObject(workload, "spec").addProperty("replicas", after);
                Update.bumpGeneration(workload);
            }
            return workload;
        });
        return of(changed.tree());
    }

    private static JsonObject of(JsonObject workload) {
        JsonObject metadata = new JsonObject();
        for (String member : List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
            metadata.addProperty(member, Trees.text(workload, "metadata", member));
        }
        JsonObject spec = new JsonObject();
        spec.addProperty("replicas", Trees.number(workload, "spec", "replicas").orElse(1L));
        JsonObject status = new JsonObject();
        status.addProperty(
                "replicas", Trees.number(workload, "status", "replicas").orElse(0L));
        Trees.object(workload, "spec", "selector", "matchLabels")
                .ifPresent(labels -> status.addProperty(
                        "selector",
                        labels.entrySet().stream()
                                .map(label ->
                                        label.getKey() + "=" + label.getValue().getAsString())
                                .collect(Collectors.joining(","))));
        JsonObject scale = new JsonObject();
        scale.add("metadata", metadata);
        scale.add("spec", spec);
        scale.add("status", status);
        return scale;
    }
}
