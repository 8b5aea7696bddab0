package io.evenkeel.hollow.registry;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.ApiException;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.hollow.resource.Refusals;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import java.util.List;

/** Puts a pod on a node. It does not ask whether there is such a node, or room on it: that is the scheduler's affair. */
final class Binding {

    private static final List<String> COPIED_LABELS =
            List.of("topology.kubernetes.io/region", "topology.kubernetes.io/zone");

    private Binding() {}

    static StoredObject bind(Registry registry, String namespace, String name, JsonObject binding, boolean dryRun) {
        check(name, binding);
        String node = Trees.text(binding, "target", "name");
        return registry.change(ResourceTable.PODS, namespace, name, dryRun, pod -> {
            checkPod(namespace, name, pod, binding);
            JsonObject metadata = pod.getAsJsonObject("metadata");
            copy(binding, "labels", metadata);
            copy(binding, "annotations", metadata);
            registry.find(ResourceTable.NODES, "", node).ifPresent(found -> copyTopology(found, metadata));
            pod.getAsJsonObject("spec").addProperty("nodeName", node);
            Trees.ensureObject(pod, "status").remove("nominatedNodeName");
            Conditions.put(
                    pod,
                    Conditions.ofPod("PodScheduled", "True", registry.times().now()));
            return pod;
        });
    }

    private static void check(String name, JsonObject binding) {
        String given = Trees.text(binding, "metadata", "name");
        if (!given.isEmpty() && !given.equals(name)) {
            throw Refusals.badRequest("name in URL does not match name in Binding object");
        }
        FieldErrors errors = new FieldErrors();
        String kind = Trees.text(binding, "target", "kind");
        if (!kind.isEmpty() && !kind.equals("Node")) {
            errors.notSupported("target.kind", kind, List.of("Node", "<empty>"));
        }
        if (Trees.text(binding, "target", "name").isEmpty()) {
            errors.required("target.name", "");
        }
        errors.refuse("", "Binding", name);
    }

    private static void checkPod(String namespace, String name, JsonObject pod, JsonObject binding) {
        String uid = Trees.text(binding, "metadata", "uid");
        String actual = Trees.text(pod, "metadata", "uid");
        if (!uid.isEmpty() && !uid.equals(actual)) {
            throw Refusals.otherUid(ResourceTable.PODS, namespace, name, uid, actual);
        }
        String version = Trees.text(binding, "metadata", "resourceVersion");
        if (!version.isEmpty() && !version.equals(Trees.text(pod, "metadata", "resourceVersion"))) {
            throw Refusals.modified(ResourceTable.PODS, name);
        }
        if (Trees.at(pod, "metadata", "deletionTimestamp").isPresent()) {
            throw conflict(name, "pod " + name + " is being deleted, cannot be assigned to a host");
        }
        String node = Trees.text(pod, "spec", "nodeName");
        if (!node.isEmpty()) {
            throw conflict(name, "pod " + name + " is already assigned to node \"" + node + "\"");
        }
        if (!Trees.objects(pod, "spec", "schedulingGates").isEmpty()) {
            throw conflict(name, "pod " + name + " has non-empty .spec.schedulingGates");
        }
    }

    private static ApiException conflict(String name, String why) {
        return Refusals.conflict("", "pods/binding", name, why);
    }

    private static void copy(JsonObject binding, String map, JsonObject metadata) {
        Trees.object(binding, "metadata", map).ifPresent(from -> {
            JsonObject to = Trees.ensureObject(metadata, map);
            from.entrySet()
                    .forEach(entry -> to.add(entry.getKey(), entry.getValue().deepCopy()));
        });
    }

    private static void copyTopology(StoredObject node, JsonObject metadata) {
        for (String label : COPIED_LABELS) {
            String value = Trees.text(node.tree(), "metadata", "labels", label);
            if (!value.isEmpty()) {
                Trees.ensureObject(metadata, "labels").addProperty(label, value);
            }
        }
    }
}
