package io.evenkeel.hollow.kind;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.kind.NameRules.AmountRules;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.value.Quantity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
}
