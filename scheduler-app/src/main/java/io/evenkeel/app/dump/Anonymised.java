package io.evenkeel.app.dump;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import io.evenkeel.model.KubernetesObject;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Objects without names: of everything that a user may have called something there is a word without meaning, equal for equal
 * names. What may stay is listed: what Kubernetes calls things ({@link WellKnown}), amounts, times and rules. One is for one dump, whose words it remembers.
 */
public final class Anonymised implements UnaryOperator<String> {
    /** Fields whose texts are Kubernetes' own, or amounts, or times. */
    private static final Set<String> OWN_WORDS = Set.of(
            "operator",
            "effect",
            "whenUnsatisfiable",
            "nodeAffinityPolicy",
            "nodeTaintsPolicy",
            "phase",
            "status",
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
    private static final Set<String> KEYS = Set.of(
            "key",
            "topologyKey",
            "topologyKeys",
            "matchLabelKeys",
            "mismatchLabelKeys",
            "provisioner",
            "attacher",
            "driver");

    private static final String MIGRATED_PLUGINS = "storage.alpha.kubernetes.io/migrated-plugins";
    private static final String GROUP_PLACEMENT = "evenkeel.io/group-placement";
    private static final Set<String> ANY_ADDRESS = Set.of("", "0.0.0.0", "127.0.0.1", "::");
    private static final Pattern FIELD = Pattern.compile("[a-z][A-Za-z0-9]*");

    private final Pseudonyms words;

    /** @param all the objects of the dump */
    public Anonymised(Collection<? extends KubernetesObject> all) {
        Set<String> names = new HashSet<>();
        for (KubernetesObject object : all) {
            names.add(object.meta().name());
            names.add(object.meta().namespace());
            object.meta().labels().asMap().forEach((key, value) -> {
                names.add(value);
                if (!WellKnown.isKey(key)) {
                    names.add(key);
                }
            });
        }
        words = new Pseudonyms(names);
    }

    /** The kind and version of the object itself stay: without them it could not be read. */
    @Override
    public String apply(String line) {
        JsonObject tree = JsonParser.parseString(line).getAsJsonObject();
        JsonObject replaced = object(tree);
        for (String own : List.of("apiVersion", "kind")) {
            if (tree.has(own)) {
                replaced.add(own, tree.get(own));
            }
        }
        return replaced.toString();
    }

    /** Names of fields are of letters and digits; what is not may be anything. */
    private JsonObject object(JsonObject tree) {
        JsonObject replaced = new JsonObject();
        tree.entrySet()
                .forEach(member -> replaced.add(
                        FIELD.matcher(member.getKey()).matches() ? member.getKey() : key(member.getKey()),
                        value(member.getKey(), member.getValue())));
        return replaced;
    }

    private JsonElement value(String field, JsonElement value) {
        return switch (value) {
            case JsonObject map
            when LABELS.contains(field) || isPlainSelector(field, map) -> map(map, this::labelValue);
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

    /** Of some keys a value is a choice of known words; all others are names. */
    private String labelValue(String key, String value) {
        return switch (key) {
            case MIGRATED_PLUGINS ->
                Arrays.stream(value.split(",", -1)).map(this::key).collect(Collectors.joining(","));
            case GROUP_PLACEMENT -> WellKnown.isGroupPlacement(value) ? value : name(value);
            default -> name(value);
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
        return switch (field) {
            case "message" -> "";
            case "kind" -> WellKnown.isOwner(text) ? text : words.of(text);
            case "apiVersion" -> WellKnown.isOfKubernetes(text) ? text : words.of(text);
            case "type" -> WellKnown.isCondition(text) ? text : key(text);
            case "reason" -> WellKnown.isReason(text) ? text : words.of(text);
            default -> KEYS.contains(field) ? key(text) : name(text);
        };
    }

    private String name(String name) {
        return WellKnown.isName(name) || WellKnown.isDriver(name) ? name : words.of(name);
    }

    private String key(String key) {
        String domain = WellKnown.domainOf(key);
        return WellKnown.isKey(key) ? key : domain + words.of(key.substring(domain.length()));
    }
}
