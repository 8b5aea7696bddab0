package io.evenkeel.hollow.controller;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.control.Owner;
import io.evenkeel.hollow.json.Trees;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.StoredObject;
import java.util.List;

/**
 * The claims of a StatefulSet's {@code volumeClaimTemplates}, one of each template an ordinal. They stay when pods go, and
 * wait for the next of their ordinal, unless the set's retention policy says that they go with the set or with a pod that is
 * scaled away: then that owns them, and the garbage collector does the rest.
 */
final class StatefulClaims {

    private final Registry registry;

    StatefulClaims(Registry registry) {
        this.registry = registry;
    }

    /** Puts the claims of an ordinal among the volumes of its pod, in the place of volumes of the same names. */
    static void mount(StoredObject set, long ordinal, JsonObject podSpec) {
        List<JsonObject> templates = templates(set);
        if (templates.isEmpty()) {
            return;
        }
        JsonArray volumes = new JsonArray();
        templates.forEach(template -> volumes.add(volume(set, template, ordinal)));
        List<String> names = templates.stream().map(StatefulClaims::name).toList();
        Trees.objects(podSpec, "volumes").stream()
                .filter(volume -> !names.contains(Trees.text(volume, "name")))
                .forEach(volumes::add);
        podSpec.add("volumes", volumes);
    }

    /** Makes the claims of an ordinal that are missing. */
    void ensure(StoredObject set, long ordinal) {
        String namespace = set.key().namespace();
        for (JsonObject template : templates(set)) {
            String name = claimName(set, template, ordinal);
            if (registry.find(ResourceTable.PERSISTENT_VOLUME_CLAIMS, namespace, name)
                    .isEmpty()) {
                registry.create(ResourceTable.PERSISTENT_VOLUME_CLAIMS, namespace, claim(set, template, name), false);
            }
        }
    }

    /** Makes a pod that is scaled away the owner of its claims, if they shall go with it. */
    void leaveTo(StoredObject set, StoredObject pod) {
        if (!goes(set, "whenScaled")) {
            return;
        }
        StatefulPod.ordinal(set, pod)
                .ifPresent(ordinal -> templates(set).forEach(template -> {
                    String name = claimName(set, template, ordinal);
                    String namespace = set.key().namespace();
                    if (registry.find(ResourceTable.PERSISTENT_VOLUME_CLAIMS, namespace, name)
                            .isPresent()) {
                        registry.change(ResourceTable.PERSISTENT_VOLUME_CLAIMS, namespace, name, false, claim -> {
                            claim.getAsJsonObject("metadata")
                                    .add("ownerReferences", Owner.references(ResourceTable.PODS, pod));
                            return claim;
                        });
                    }
                }));
    }

    private static JsonObject claim(StoredObject set, JsonObject template, String name) {
        JsonObject claim = new JsonObject();
        JsonObject metadata = Trees.ensureObject(claim, "metadata");
        metadata.addProperty("name", name);
        JsonObject labels = new JsonObject();
        addAll(labels, template, "metadata", "labels");
        addAll(labels, set.tree(), "spec", "selector", "matchLabels");
        metadata.add("labels", labels);
        Trees.object(template, "metadata", "annotations")
                .ifPresent(annotations -> metadata.add("annotations", annotations.deepCopy()));
        if (goes(set, "whenDeleted")) {
            metadata.add("ownerReferences", Owner.references(ResourceTable.STATEFUL_SETS, set));
        }
        claim.add("spec", Trees.at(template, "spec").map(JsonElement::deepCopy).orElseGet(JsonObject::new));
        return claim;
    }

    private static void addAll(JsonObject labels, JsonObject tree, String... path) {
        Trees.object(tree, path)
                .ifPresent(all -> all.entrySet().forEach(label -> labels.add(label.getKey(), label.getValue())));
    }

    private static JsonObject volume(StoredObject set, JsonObject template, long ordinal) {
        JsonObject volume = new JsonObject();
        volume.addProperty("name", name(template));
        Trees.ensureObject(volume, "persistentVolumeClaim").addProperty("claimName", claimName(set, template, ordinal));
        return volume;
    }

    private static List<JsonObject> templates(StoredObject set) {
        return Trees.objects(set.tree(), "spec", "volumeClaimTemplates");
    }

    private static String claimName(StoredObject set, JsonObject template, long ordinal) {
        return name(template) + "-" + set.key().name() + "-" + ordinal;
    }

    private static String name(JsonObject template) {
        return Trees.text(template, "metadata", "name");
    }

    private static boolean goes(StoredObject set, String when) {
        return Trees.text(set.tree(), "spec", "persistentVolumeClaimRetentionPolicy", when)
                .equals("Delete");
    }
}
