package io.evenkeel.app.simulate.workload;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The API server's changes to a new pod, as far as scheduling reads them: limits that are requests too, ports of the host,
 * tolerations of nodes that fail, the priority of its class, and the selectors that {@code matchLabelKeys} mean.
 */
final class Admission {
    private static final List<String> FAILING =
            List.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");

    private final Priorities priorities;

    Admission(Priorities priorities) {
        this.priorities = priorities;
    }

    /** @param path of the pod's spec in the manifest */
    void admit(JsonObject pod, Manifest manifest, String path) {
        JsonObject spec = Manifest.object(pod, "spec").orElseGet(JsonObject::new);
        boolean hostNetwork = spec.has("hostNetwork") && "true".equals(Manifest.text(spec, "hostNetwork"));
        Stream.concat(objects(spec, "initContainers"), objects(spec, "containers"))
                .forEach(container -> {
                    requestLimits(container);
                    if (hostNetwork) {
                        objects(container, "ports")
                                .filter(port -> port.has("containerPort") && !port.has("hostPort"))
                                .forEach(port -> port.add("hostPort", port.get("containerPort")));
                    }
                });
        requestLimits(spec);
        FAILING.forEach(taint -> tolerate(spec, taint));
        priorities.assign(spec, manifest, path);
        Manifest.object(pod, "metadata")
                .flatMap(meta -> Manifest.object(meta, "labels"))
                .ifPresent(labels -> mergeKeys(spec, labels));
    }

    private static void requestLimits(JsonObject owner) {
        Optional<JsonObject> resources = Manifest.object(owner, "resources");
        Optional<JsonObject> limits = resources.flatMap(all -> Manifest.object(all, "limits"));
        if (limits.isEmpty()) {
            return;
        }
        JsonObject requests = ensureObject(resources.get(), "requests");
        limits.get().asMap().forEach((resource, amount) -> {
            if (!requests.has(resource)) {
                requests.add(resource, amount);
            }
        });
    }

    private static void tolerate(JsonObject spec, String taint) {
        boolean said = objects(spec, "tolerations")
                .anyMatch(each -> isOrAbsent(each, "key", taint) && isOrAbsent(each, "effect", "NoExecute"));
        if (!said) {
            JsonObject toleration = new JsonObject();
            toleration.addProperty("key", taint);
            toleration.addProperty("operator", "Exists");
            toleration.addProperty("effect", "NoExecute");
            toleration.addProperty("tolerationSeconds", 300);
            ensureArray(spec, "tolerations").add(toleration);
        }
    }

    private static boolean isOrAbsent(JsonObject toleration, String member, String value) {
        String actual = Manifest.text(toleration, member);
        return actual.isEmpty() || actual.equals(value);
    }

    private static void mergeKeys(JsonObject spec, JsonObject labels) {
        objects(spec, "topologySpreadConstraints")
                .forEach(constraint -> mergeKeys(constraint, "matchLabelKeys", "In", labels));
        for (String kind : List.of("podAffinity", "podAntiAffinity")) {
            Optional<JsonObject> affinity =
                    Manifest.object(spec, "affinity").flatMap(all -> Manifest.object(all, kind));
            if (affinity.isPresent()) {
                Stream.concat(
                                objects(affinity.get(), "requiredDuringSchedulingIgnoredDuringExecution"),
                                objects(affinity.get(), "preferredDuringSchedulingIgnoredDuringExecution")
                                        .flatMap(weighted -> Manifest.object(weighted, "podAffinityTerm").stream()))
                        .forEach(term -> {
                            mergeKeys(term, "matchLabelKeys", "In", labels);
                            mergeKeys(term, "mismatchLabelKeys", "NotIn", labels);
                        });
            }
        }
    }

    private static void mergeKeys(JsonObject rule, String keys, String operator, JsonObject labels) {
        Optional<JsonObject> selector = Manifest.object(rule, "labelSelector");
        if (selector.isEmpty() || !(rule.get(keys) instanceof JsonArray named)) {
            return;
        }
        for (JsonElement key : named) {
            if (labels.has(key.getAsString())) {
                JsonObject expression = new JsonObject();
                expression.addProperty("key", key.getAsString());
                expression.addProperty("operator", operator);
                ensureArray(expression, "values").add(Manifest.text(labels, key.getAsString()));
                ensureArray(selector.get(), "matchExpressions").add(expression);
            }
        }
    }

    private static Stream<JsonObject> objects(JsonObject tree, String member) {
        return tree.get(member) instanceof JsonArray all
                ? StreamSupport.stream(all.spliterator(), false)
                        .filter(JsonObject.class::isInstance)
                        .map(JsonObject.class::cast)
                : Stream.of();
    }

    private static JsonObject ensureObject(JsonObject tree, String member) {
        if (!(tree.get(member) instanceof JsonObject)) {
            tree.add(member, new JsonObject());
        }
        return tree.getAsJsonObject(member);
    }

    private static JsonArray ensureArray(JsonObject tree, String member) {
        if (!(tree.get(member) instanceof JsonArray)) {
            tree.add(member, new JsonArray());
        }
        return tree.getAsJsonArray(member);
    }
}
