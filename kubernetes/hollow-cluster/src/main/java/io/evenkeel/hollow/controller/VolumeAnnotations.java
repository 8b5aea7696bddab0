package io.evenkeel.hollow.controller;

import com.google.gson.JsonObject;
import io.evenkeel.model.json.Trees;

/** The annotations by which schedulers, provisioners and the binding controller talk to each other. */
final class VolumeAnnotations {

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
