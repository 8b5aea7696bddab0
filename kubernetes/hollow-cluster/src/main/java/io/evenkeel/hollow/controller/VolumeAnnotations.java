package io.evenkeel.hollow.controller;

import com.google.gson.JsonObject;
import io.evenkeel.model.json.Trees;

/** The annotations by which schedulers, provisioners and the binding controller talk to each other. */
final class VolumeAnnotations {

    /** On a claim: its binding is done, so a volume that is missing now is lost. */
    static final String BIND_COMPLETED = "pv.kubernetes.io/bind-completed";

    /** On a claim or a volume: it was the controller, not a user, that chose the other one. */
    static final String BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";

    /** On a claim: a scheduler wants its volume to be reached from this node. */
    static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

    /** On a claim: who shall make its volume. */
    static final String STORAGE_PROVISIONER = "volume.kubernetes.io/storage-provisioner";

    /** Its old name, which real clusters still write too. */
    static final String OLD_STORAGE_PROVISIONER = "volume.beta.kubernetes.io/storage-provisioner";

    /** On a volume: who made it, and so may delete it. */
    static final String PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";

    static final String YES = "yes";

    private VolumeAnnotations() {}

    /** The value; empty where there is none. */
    static String get(JsonObject tree, String name) {
        return Trees.text(tree, "metadata", "annotations", name);
    }

    static void set(JsonObject tree, String name, String value) {
        Trees.ensureObject(Trees.ensureObject(tree, "metadata"), "annotations").addProperty(name, value);
    }

    /** Takes one away, and the map with the last. */
    static void remove(JsonObject tree, String name) {
        Trees.object(tree, "metadata", "annotations").ifPresent(all -> {
            all.remove(name);
            if (all.isEmpty()) {
                tree.getAsJsonObject("metadata").remove("annotations");
            }
        });
    }
}
