package io.evenkeel.app.simulate.workload;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.Map;

/**
 * The template of a workload's pods.
 *
 * @param apiVersion of what owns the pods, as its kind, name and UID are
 */
record PodTemplate(Manifest manifest, JsonObject tree, String apiVersion, String kind, String owner, String uid) {
    static final String PATH = "spec.template";

    /**
     * Takes the template of a manifest; its object owns the pods itself.
     *
     * @throws io.evenkeel.app.simulate.workload.UserProblem if it has none
     */
    static PodTemplate of(Manifest manifest) {
        JsonObject tree = manifest.required("spec", "template").deepCopy();
        manifest.required("spec", "template", "spec");
        return new PodTemplate(
                manifest,
                tree,
                manifest.apiVersion(),
                manifest.kind(),
                manifest.name(),
                uidOf(manifest.kind(), manifest.namespaceNamed(), manifest.name()));
    }

    /** Gives the pods another owner, made for the manifest. */
    PodTemplate ownedBy(String itsApiVersion, String itsKind, String itsName) {
        return new PodTemplate(
                manifest, tree, itsApiVersion, itsKind, itsName, uidOf(itsKind, manifest.namespaceNamed(), itsName));
    }

    /** Adds a label, as controllers do. */
    PodTemplate labelled(String key, String value) {
        JsonObject labelled = tree.deepCopy();
        labels(labelled).addProperty(key, value);
        return new PodTemplate(manifest, labelled, apiVersion, kind, owner, uid);
    }

    /** A pod of it. */
    JsonObject pod(String name, Map<String, String> moreLabels) {
        JsonObject pod = new JsonObject();
        pod.addProperty("apiVersion", "v1");
        pod.addProperty("kind", Workload.POD);
        JsonObject metadata = new JsonObject();
        metadata.addProperty("name", name);
        metadata.addProperty("namespace", manifest.namespaceNamed());
        metadata.addProperty("uid", uidOf(Workload.POD, manifest.namespaceNamed(), name));
        Manifest.object(tree, "metadata").ifPresent(of -> {
            for (String member : new String[] {"labels", "annotations"}) {
                Manifest.object(of, member).ifPresent(all -> metadata.add(member, all.deepCopy()));
            }
        });
        pod.add("metadata", metadata);
        moreLabels.forEach(labels(pod)::addProperty);
        metadata.add("ownerReferences", ownerReferences());
        pod.add("spec", spec().deepCopy());
        return pod;
    }

    JsonObject spec() {
        return tree.getAsJsonObject("spec");
    }

    private JsonArray ownerReferences() {
        return references(apiVersion, kind, owner, uid);
    }

    static JsonArray references(String apiVersion, String kind, String name, String uid) {
        JsonObject reference = new JsonObject();
        reference.addProperty("apiVersion", apiVersion);
        reference.addProperty("kind", kind);
        reference.addProperty("name", name);
        reference.addProperty("uid", uid);
        reference.addProperty("controller", true);
        JsonArray references = new JsonArray();
        references.add(reference);
        return references;
    }

    static JsonObject labels(JsonObject object) {
        JsonObject metadata = ensure(object, "metadata");
        return ensure(metadata, "labels");
    }

    private static JsonObject ensure(JsonObject tree, String member) {
        JsonElement there = tree.get(member);
        if (there instanceof JsonObject found) {
            return found;
        }
        JsonObject made = new JsonObject();
        tree.add(member, made);
        return made;
    }

    /** Of an object that no server has seen: equal for equal names, and no other's. */
    public static String uidOf(String kind, String namespace, String name) {
        return "simulated:" + kind + ":" + namespace + ":" + name;
    }
}
