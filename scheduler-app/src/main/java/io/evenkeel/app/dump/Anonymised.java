package io.evenkeel.app.dump;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import io.evenkeel.model.KubernetesObject;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;

/**
 * Objects without names: of everything that a user may have called something there is a word without meaning, equal for equal
 * names. What Kubernetes calls things stays, and so do amounts, times and rules. One is for one dump, whose words it remembers.
 */
public final class Anonymised implements UnaryOperator<String> {
    private static final String NAME_FIELD = "metadata.name";

    /** Fields whose texts are Kubernetes' own, or amounts, or times. */
    private static final Set<String> OWN_WORDS = Set.of(
            "apiVersion",
            "kind",
            "operator",
            "effect",
            "whenUnsatisfiable",
            "nodeAffinityPolicy",
            "nodeTaintsPolicy",
            "phase",
            "status",
            "type",
            "reason",
            "protocol",
            "preemptionPolicy",
            "volumeBindingMode",
            "accessModes",
            "volumeMode",
            "deletionTimestamp",
            "startTime",
            "lastTransitionTime",
            "resourceVersion",
            "declaredFeatures",
            "restartPolicy",
            "maximumVolumeSize",
            "disruptionMode");

    /** Maps of labels. */
    private static final Set<String> LABELS = Set.of("labels", "annotations", "nodeSelector", "matchLabels");

    /** Maps of amounts by resource. */
    private static final Set<String> AMOUNTS =
            Set.of("allocatable", "capacity", "requests", "limits", "overhead", "allocatedResources");

    /** Fields that name a label, a resource's like or a driver: Kubernetes' own stay. */
    private static final Set<String> KEYS =
            Set.of("key", "topologyKey", "matchLabelKeys", "mismatchLabelKeys", "provisioner", "attacher", "driver");

    /** Keys without a prefix that controllers give. */
    private static final Set<String> OWN_KEYS = Set.of(
            NAME_FIELD,
            "pod-template-hash",
            "controller-revision-hash",
            "job-name",
            "controller-uid",
            "cpu",
            "memory",
            "pods",
            "ephemeral-storage",
            "storage",
            "count");

    private static final String MIGRATED_PLUGINS = "storage.alpha.kubernetes.io/migrated-plugins";
    private static final Set<String> ANY_ADDRESS = Set.of("", "0.0.0.0", "127.0.0.1", "::");
    private static final String ROLE = "node-role.kubernetes.io/";
    private static final Set<String> OWN_ROLES = Set.of("control-plane", "master", "worker");

    private final Pseudonyms words;

    /** @param all the objects of the dump */
    public Anonymised(Collection<? extends KubernetesObject> all) {
        Set<String> names = new HashSet<>();
        all.forEach(object -> names.add(object.meta().name()));
        words = new Pseudonyms(names);
    }

    @Override
    public String apply(String line) {
        return object(JsonParser.parseString(line).getAsJsonObject()).toString();
    }

    private JsonObject object(JsonObject tree) {
        JsonObject replaced = new JsonObject();
        tree.entrySet().forEach(member -> replaced.add(member.getKey(), value(member.getKey(), member.getValue())));
        return replaced;
    }

    private JsonElement value(String field, JsonElement value) {
        return switch (value) {
            case JsonObject map
            when LABELS.contains(field) || isPlainSelector(field, map) ->
                map(map, (key, text) -> key.equals(MIGRATED_PLUGINS) ? text : words.of(text));
            case JsonObject map when AMOUNTS.contains(field) -> map(map, (_, amount) -> amount);
            case JsonObject object -> object(object);
            case JsonArray list -> {
                JsonArray replaced = new JsonArray();
                list.forEach(each -> replaced.add(value(field, each)));
                yield replaced;
            }
            case JsonPrimitive text when text.isString() -> new JsonPrimitive(text(field, text.getAsString()));
            default -> value;
        };
    }

    /** Services and the oldest controllers select by a map, the others by an object of rules. */
    private static boolean isPlainSelector(String field, JsonObject map) {
        return field.equals("selector") && !map.has("matchLabels") && !map.has("matchExpressions");
    }

    private JsonObject map(JsonObject map, BinaryOperator<String> value) {
        JsonObject replaced = new JsonObject();
        for (Map.Entry<String, JsonElement> entry : map.entrySet()) {
            JsonElement was = entry.getValue();
            boolean isText = was instanceof JsonPrimitive text && text.isString();
            replaced.add(
                    key(entry.getKey()),
                    isText ? new JsonPrimitive(value.apply(entry.getKey(), was.getAsString())) : was);
        }
        return replaced;
    }

    private String text(String field, String text) {
        if (OWN_WORDS.contains(field) || (field.equals("hostIP") && ANY_ADDRESS.contains(text))) {
            return text;
        }
        if (AMOUNTS.contains(field)) {
            return text; // as a storage capacity has it
        }
        if (field.equals("message")) {
            return "";
        }
        return KEYS.contains(field) ? key(text) : words.of(text);
    }

    /** A key of Kubernetes stays as it is, but for a role that somebody has thought of. */
    private String key(String key) {
        if (key.startsWith(ROLE)) {
            String role = key.substring(ROLE.length());
            return OWN_ROLES.contains(role) ? key : ROLE + words.of(role);
        }
        int slash = key.indexOf('/');
        String domain = slash < 0 ? "" : key.substring(0, slash);
        boolean isOwn = OWN_KEYS.contains(key)
                || key.startsWith("hugepages-")
                || domain.equals("evenkeel.io")
                || domain.equals("kubernetes.io")
                || domain.endsWith(".kubernetes.io")
                || domain.equals("k8s.io")
                || domain.endsWith(".k8s.io")
                || domain.endsWith(".x-k8s.io");
        return isOwn ? key : words.of(key);
    }
}
