package io.evenkeel.hollow.kind;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.json.Trees;
import java.util.List;
import java.util.Optional;

/** Writes what {@code matchLabelKeys} means for this pod into the selectors, so that schedulers need not look at it. */
final class MatchLabelKeys {

    private MatchLabelKeys() {}

    public static void merge(JsonObject tree) {
        Optional<JsonObject> labels = Trees.object(tree, "metadata", "labels");
        if (labels.isEmpty()) {
            return;
        }
        JsonObject spec = tree.getAsJsonObject("spec");
        Trees.objects(spec, "topologySpreadConstraints")
                .forEach(constraint -> merge(constraint, "matchLabelKeys", "In", labels.get()));
        for (String affinity : List.of("podAffinity", "podAntiAffinity")) {
            Trees.objects(spec, "affinity", affinity, "requiredDuringSchedulingIgnoredDuringExecution")
                    .forEach(term -> mergeTerm(term, labels.get()));
            Trees.objects(spec, "affinity", affinity, "preferredDuringSchedulingIgnoredDuringExecution")
                    .forEach(weighted ->
                            Trees.object(weighted, "podAffinityTerm").ifPresent(term -> mergeTerm(term, labels.get())));
        }
    }

    private static void mergeTerm(JsonObject term, JsonObject labels) {
        merge(term, "matchLabelKeys", "In", labels);
        merge(term, "mismatchLabelKeys", "NotIn", labels);
    }

    private static void merge(JsonObject owner, String keys, String operator, JsonObject labels) {
        Optional<JsonObject> selector = Trees.object(owner, "labelSelector");
        if (selector.isEmpty()) {
            return;
        }
        for (String key : Trees.texts(owner, keys)) {
            if (labels.has(key)) {
                JsonArray values = new JsonArray();
                values.add(labels.get(key).getAsString());
                JsonObject expression = new JsonObject();
                expression.addProperty("key", key);
                expression.addProperty("operator", operator);
                expression.add("values", values);
                Trees.ensureArray(selector.get(), "matchExpressions").add(expression);
            }
        }
    }
}
