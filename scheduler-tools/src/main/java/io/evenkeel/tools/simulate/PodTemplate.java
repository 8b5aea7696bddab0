package io.evenkeel.tools.simulate;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.workload.Templates;
import java.util.Map;

/**
 * The template of a workload's pods.
 *
 * @param owner of the pods, with the template in its spec
 */
record PodTemplate(Manifest manifest, JsonObject owner) {
    static final String PATH = "spec.template";

    /**
     * Takes the template of a manifest; its object owns the pods itself.
     *
     * @throws io.evenkeel.problem.UserProblem if it has none
     */
    static PodTemplate of(Manifest manifest) {
        manifest.required("spec", "template", "spec");
        return new PodTemplate(manifest, manifest.tree().deepCopy()).owned(manifest.apiVersion(), manifest.kind());
    }

    /** The ReplicaSet that a Deployment makes for this template owns the pods. */
    PodTemplate byReplicaSet() {
        JsonObject set = Templates.replicaSet(owner);
        set.getAsJsonObject("metadata").add("ownerReferences", references());
        return new PodTemplate(manifest, set).owned("apps/v1", Workload.REPLICA_SET);
    }

    private PodTemplate owned(String apiVersion, String kind) {
        asOfServer(owner, apiVersion, kind, manifest.namespaceNamed(), Trees.text(owner, "metadata", "name"));
        return this;
    }

    JsonObject scaled(int replicas) {
        owner.getAsJsonObject("spec").addProperty("replicas", replicas);
        return owner;
    }

    String ownerName() {
        return Trees.text(owner, "metadata", "name");
    }

    String ownerUid() {
        return Trees.text(owner, "metadata", "uid");
    }

    JsonObject pod(String name, Map<String, String> moreLabels) {
        JsonObject pod = Templates.pod(owner);
        JsonObject labels = Trees.ensureObject(pod.getAsJsonObject("metadata"), "labels");
        moreLabels.forEach(labels::addProperty);
        return owned(pod, name);
    }

    JsonObject pod(int ordinal) {
        return owned(Templates.pod(owner, ordinal), ownerName() + "-" + ordinal);
    }

    private JsonObject owned(JsonObject pod, String name) {
        asOfServer(pod, "v1", Workload.POD, manifest.namespaceNamed(), name);
        pod.getAsJsonObject("metadata").add("ownerReferences", references());
        return pod;
    }

    private JsonArray references() {
        JsonObject reference = new JsonObject();
        reference.addProperty("apiVersion", Trees.text(owner, "apiVersion"));
        reference.addProperty("kind", Trees.text(owner, "kind"));
        reference.addProperty("name", ownerName());
        reference.addProperty("uid", ownerUid());
        reference.addProperty("controller", true);
        JsonArray references = new JsonArray();
        references.add(reference);
        return references;
    }

    /** Gives an object its place among a server's objects. */
    static void asOfServer(JsonObject tree, String apiVersion, String kind, String namespace, String name) {
        tree.addProperty("apiVersion", apiVersion);
        tree.addProperty("kind", kind);
        JsonObject metadata = Trees.ensureObject(tree, "metadata");
        metadata.addProperty("name", name);
        metadata.addProperty("namespace", namespace);
        metadata.addProperty("uid", uidOf(kind, namespace, name));
    }

    /** Of an object that no server has seen: equal for equal names, and no other's. */
    private static String uidOf(String kind, String namespace, String name) {
        return "simulated:" + kind + ":" + namespace + ":" + name;
    }
}
