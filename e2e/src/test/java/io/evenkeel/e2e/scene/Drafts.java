package io.evenkeel.e2e.scene;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.evenkeel.model.json.Trees;
import org.jspecify.annotations.Nullable;

/**
 * Completes drafts of pods and nodes, so that a test says only what it is about.
 *
 * <p>Our nodes carry a label and a taint of the scene: nobody else's pods land on them, and ours land nowhere else.
 */
final class Drafts {
    static final String MARK = "evenkeel.io/e2e";

    private final String scene;
    private final String namespace;
    private final String schedulerName;

    Drafts(String scene, String namespace, String schedulerName) {
        this.scene = scene;
        this.namespace = namespace;
        this.schedulerName = schedulerName;
    }

    /** A pod's draft has {@code labels}, and {@code requests} and {@code ports} of its container; all else is its spec. */
    JsonObject pod(String name, String draft) {
        JsonObject spec = Yaml.parse(draft);
        JsonObject metadata = metadata(name, spec.remove("labels"));
        metadata.addProperty("namespace", namespace);
        JsonElement requests = spec.remove("requests");
        JsonObject container = Yaml.parse("{name: main, image: 'registry.k8s.io/pause:3.10'}");
        JsonObject resources = new JsonObject();
        resources.add("requests", requests == null ? Yaml.parse("{cpu: 10m}") : requests);
        container.add("resources", resources);
        if (spec.has("ports")) {
            container.add("ports", spec.remove("ports"));
        }
        Trees.ensureArray(spec, "containers").add(container);
        if (!spec.has("schedulerName")) {
            spec.addProperty("schedulerName", schedulerName);
        }
        Trees.ensureObject(spec, "nodeSelector").addProperty(MARK, scene);
        JsonArray tolerations = Trees.ensureArray(spec, "tolerations");
        // nobody reports for these nodes, so real clusters find them unreachable after a while
        for (String key : new String[] {MARK, "node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"}) {
            tolerations.add(Yaml.parse("{key: %s, operator: Exists}".formatted(key)));
        }
        return object("Pod", metadata, "spec", spec);
    }

    /** A node's draft has {@code labels}, {@code allocatable}, {@code taints} and {@code unschedulable}. */
    JsonObject node(String name, String draft) {
        JsonObject spec = Yaml.parse(draft);
        JsonObject metadata = metadata(name, spec.remove("labels"));
        JsonObject labels = Trees.ensureObject(metadata, "labels");
        Trees.fill(labels, "kubernetes.io/hostname", name);
        JsonObject allocatable = Trees.ensureObject(spec, "allocatable");
        spec.remove("allocatable");
        Trees.fill(allocatable, "cpu", "32");
        Trees.fill(allocatable, "memory", "64Gi");
        Trees.fill(allocatable, "pods", "110");
        JsonObject status = Yaml.parse("conditions: [{type: Ready, status: 'True', reason: EvenkeelEndToEnd}]");
        status.add("capacity", allocatable.deepCopy());
        status.add("allocatable", allocatable);
        Trees.ensureArray(spec, "taints")
                .add(Yaml.parse("{key: %s, value: %s, effect: NoSchedule}".formatted(MARK, scene)));
        JsonObject node = object("Node", metadata, "spec", spec);
        node.add("status", status);
        return node;
    }

    private JsonObject metadata(String name, @Nullable JsonElement labels) {
        JsonObject metadata = new JsonObject();
        metadata.addProperty("name", name);
        metadata.add("labels", labels == null ? new JsonObject() : labels);
        metadata.getAsJsonObject("labels").addProperty(MARK, scene);
        return metadata;
    }

    private static JsonObject object(String kind, JsonObject metadata, String part, JsonObject content) {
        JsonObject object = new JsonObject();
        object.addProperty("apiVersion", "v1");
        object.addProperty("kind", kind);
        object.add("metadata", metadata);
        object.add(part, content);
        return object;
    }
}
