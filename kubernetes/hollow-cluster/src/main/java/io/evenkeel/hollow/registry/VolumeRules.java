package io.evenkeel.hollow.registry;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.registry.ClaimRules.AccessModes;
import io.evenkeel.hollow.registry.NameRules.AmountRules;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.value.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;

/** The rules of PersistentVolumes, in the order in which a real server names violations. */
final class VolumeRules {

    static final List<String> MODES = List.of("Block", "Filesystem");
    private static final List<String> RECLAIM_POLICIES = List.of("Delete", "Recycle", "Retain");

    /** Labels of nodes that have got other names; a volume may follow them. */
    private static final Map<String, String> RENAMED = Map.of(
            "failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone",
            "failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region",
            "beta.kubernetes.io/instance-type", "node.kubernetes.io/instance-type",
            "beta.kubernetes.io/os", "kubernetes.io/os",
            "beta.kubernetes.io/arch", "kubernetes.io/arch");

    private VolumeRules() {}

    static void check(JsonObject tree, FieldErrors errors) {
        JsonObject spec = Trees.ensureObject(tree, "spec");
        AccessModes.check("spec.accessModes", spec, "", errors);
        capacity(spec, errors);
        String policy = Trees.text(spec, "persistentVolumeReclaimPolicy");
        if (!policy.isEmpty()) {
            errors.oneOf("spec.persistentVolumeReclaimPolicy", policy, RECLAIM_POLICIES);
        }
        Trees.object(spec, "nodeAffinity").ifPresent(affinity -> affinity(affinity, errors));
        VolumeSources.check(spec, errors);
        if (Trees.text(spec, "hostPath", "path").equals("/") && policy.equals("Recycle")) {
            errors.forbidden("spec.persistentVolumeReclaimPolicy", "may not be 'recycle' for a hostPath mount of '/'");
        }
        String storageClass = Trees.text(spec, "storageClassName");
        if (!storageClass.isEmpty()) {
            NameRules.subdomain("spec.storageClassName", storageClass, errors);
        }
        errors.oneOf("spec.volumeMode", Trees.text(spec, "volumeMode"), MODES);
        if (spec.has("volumeAttributesClassName")) {
            attributesClass(spec, errors);
        }
    }

    private static void capacity(JsonObject spec, FieldErrors errors) {
        JsonObject capacity = Trees.object(spec, "capacity").orElseGet(JsonObject::new);
        if (capacity.isEmpty()) {
            errors.required("spec.capacity", "");
        }
        if (!capacity.keySet().equals(Set.of("storage"))) {
            JsonObject sorted = new JsonObject();
            new TreeMap<>(capacity.asMap()).forEach(sorted::add);
            errors.notSupportedLiteral(
                    "spec.capacity", spec.has("capacity") ? sorted.toString() : "null", List.of("storage"));
        }
        capacity.keySet()
                .forEach(resource -> size("spec.capacity[" + resource + "]", Trees.text(capacity, resource), errors));
    }

    private static void size(String field, String amount, FieldErrors errors) {
        Quantity size = Quantity.parse(amount);
        if (size.signum() < 0) {
            errors.invalidLiteral(field, Long.toString(size.value()), "must be a valid resource quantity");
        }
        AmountRules.positive(field, amount, errors);
    }

    private static void affinity(JsonObject affinity, FieldErrors errors) {
        Trees.object(affinity, "required")
                .ifPresentOrElse(
                        required -> SelectorRules.nodes("spec.nodeAffinity.required", required, errors),
                        () -> errors.required("spec.nodeAffinity.required", "must specify required node constraints"));
    }

    private static void attributesClass(JsonObject spec, FieldErrors errors) {
        String attributesClass = Trees.text(spec, "volumeAttributesClassName");
        if (attributesClass.isEmpty()) {
            errors.required("spec.volumeAttributesClassName", "an empty string is disallowed");
        } else {
            NameRules.subdomain("spec.volumeAttributesClassName", attributesClass, errors);
        }
        if (!spec.has("csi")) {
            errors.required("spec.csi", "has to be specified when using volumeAttributesClassName");
        }
    }

    static void checkUpdate(JsonObject updated, JsonObject current, FieldErrors errors) {
        JsonObject after = Trees.ensureObject(updated, "spec");
        JsonObject before = Trees.ensureObject(current, "spec");
        VolumeSources.checkUpdate(after, before, errors);
        String mode = Trees.text(after, "volumeMode");
        if (!mode.equals(Trees.text(before, "volumeMode"))) {
            errors.invalid("volumeMode", mode, Immutable.WHY);
        }
        Optional<JsonElement> affinity = Trees.at(after, "nodeAffinity");
        Trees.at(before, "nodeAffinity")
                .filter(old -> affinity.filter(each -> each.equals(old) || each.equals(renamed(old)))
                        .isEmpty())
                .ifPresent(_ -> errors.invalidLiteral(
                        "nodeAffinity",
                        Immutable.shown(affinity),
                        Immutable.WHY + ", except for updating from beta label to GA"));
        if (before.has("volumeAttributesClassName") && !after.has("volumeAttributesClassName")) {
            errors.forbidden("spec.volumeAttributesClassName", "update from non-nil value to nil is forbidden");
        }
    }

    private static JsonElement renamed(JsonElement affinity) {
        JsonObject copy = affinity.deepCopy().getAsJsonObject();
        Trees.objects(copy, "required", "nodeSelectorTerms").stream()
                .flatMap(term -> Trees.objects(term, "matchExpressions").stream())
                .forEach(expression -> {
                    String key = Trees.text(expression, "key");
                    expression.addProperty("key", RENAMED.getOrDefault(key, key));
                });
        return copy;
    }

    /** The source of a volume: exactly one, which never changes. Only the sources that are in use without a cloud are looked into. */
    private static final class VolumeSources {

        /** In the order in which a real server looks for them. */
        private static final List<String> ALL = List.of(
                "hostPath",
                "gcePersistentDisk",
                "awsElasticBlockStore",
                "glusterfs",
                "flocker",
                "nfs",
                "rbd",
                "quobyte",
                "cephfs",
                "iscsi",
                "cinder",
                "fc",
                "flexVolume",
                "azureFile",
                "vsphereVolume",
                "photonPersistentDisk",
                "portworxVolume",
                "azureDisk",
                "scaleIO",
                "local",
                "storageos",
                "csi");

        private static final List<String> HOST_PATH_TYPES = List.of(
                "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket");

        private VolumeSources() {}

        static void check(JsonObject spec, FieldErrors errors) {
            List<String> sources = ALL.stream().filter(spec::has).toList();
            if (sources.isEmpty()) {
                errors.required("spec", "must specify a volume type");
                return;
            }
            check(sources.getFirst(), spec, errors);
            sources.stream()
                    .skip(1)
                    .filter(source -> !source.equals("flexVolume")) // which a real server overlooks here
                    .map(source -> source.equals("cephfs") ? "cephFS" : source)
                    .forEach(source -> errors.forbidden("spec." + source, "may not specify more than 1 volume type"));
        }

        private static void check(String name, JsonObject spec, FieldErrors errors) {
            JsonObject source = Trees.object(spec, name).orElseGet(JsonObject::new);
            String field = "spec." + name;
            switch (name) {
                case "hostPath" -> {
                    path(field, source, errors);
                    errors.oneOf(field + ".type", Trees.text(source, "type"), HOST_PATH_TYPES);
                }
                case "nfs" -> {
                    required(field, source, "server", errors);
                    required(field, source, "path", errors);
                    String path = Trees.text(source, "path");
                    if (!path.startsWith("/")) {
                        errors.invalid(field + ".path", path, "must be an absolute path");
                    }
                }
                case "local" -> {
                    path(field, source, errors);
                    if (!spec.has("nodeAffinity")) {
                        errors.required("spec.nodeAffinity", "Local volume requires node affinity");
                    }
                }
                case "csi" -> {
                    NameRules.driver(field + ".driver", Trees.text(source, "driver"), errors);
                    required(field, source, "volumeHandle", errors);
                }
                default -> {}
            }
        }

        private static void path(String field, JsonObject source, FieldErrors errors) {
            required(field, source, "path", errors);
            String path = Trees.text(source, "path");
            if (List.of(path.split("/")).contains("..")) {
                errors.invalid(field + ".path", path, "must not contain '..'");
            }
        }

        private static void required(String field, JsonObject source, String member, FieldErrors errors) {
            if (Trees.text(source, member).isEmpty()) {
                errors.required(field + "." + member, "");
            }
        }

        static void checkUpdate(JsonObject updated, JsonObject current, FieldErrors errors) {
            SortedSet<String> changed = Immutable.changed(current, updated);
            changed.retainAll(ALL);
            if (!changed.isEmpty()) {
                errors.forbidden(
                        "spec.persistentvolumesource",
                        "spec.persistentvolumesource is immutable after creation\nchanged: "
                                + String.join(", ", changed));
            }
        }
    }
}
