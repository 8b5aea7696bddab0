package io.evenkeel.hollow.registry;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.model.json.Trees;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The rules of StorageClasses, in the order in which a real server names violations. */
final class StorageClassRules {

    private static final int MOST_PARAMETERS = 512;
    private static final int LONGEST_PARAMETERS = 256 * 1024;

    private StorageClassRules() {}

    static void check(JsonObject tree, FieldErrors errors) {
        String provisioner = Trees.text(tree, "provisioner");
        if (provisioner.isEmpty()) {
            errors.required("provisioner", "");
        } else {
            NameRules.labelKey("provisioner", provisioner.toLowerCase(Locale.ROOT), errors);
        }
        Trees.object(tree, "parameters").ifPresent(parameters -> parameters(parameters, errors));
        String policy = Trees.text(tree, "reclaimPolicy");
        if (!policy.isEmpty()) {
            errors.oneOf("reclaimPolicy", policy, List.of("Delete", "Retain"));
        }
        errors.oneOf(
                "volumeBindingMode",
                Trees.text(tree, "volumeBindingMode"),
                List.of("Immediate", "WaitForFirstConsumer"));
        topologies(Trees.objects(tree, "allowedTopologies"), errors);
    }

    private static void parameters(JsonObject parameters, FieldErrors errors) {
        if (parameters.size() > MOST_PARAMETERS) {
            errors.tooLong("parameters", MOST_PARAMETERS);
            return;
        }
        if (parameters.has("")) {
            errors.invalid("parameters", "", "field can not be empty.");
        }
        int length = parameters.entrySet().stream()
                .mapToInt(each ->
                        each.getKey().length() + each.getValue().getAsString().length())
                .sum();
        if (length > LONGEST_PARAMETERS) {
            errors.tooLong("parameters", LONGEST_PARAMETERS);
        }
    }

    /** Terms must differ; one without expressions is like none at all, and a real server says it in the same words. */
    private static void topologies(List<JsonObject> terms, FieldErrors errors) {
        Set<Map<String, Set<String>>> seen = new HashSet<>();
        seen.add(Map.of());
        for (int i = 0; i < terms.size(); i++) {
            String field = "allowedTopologies[" + i + "].matchLabelExpressions";
            if (!seen.add(expressions(field, Trees.objects(terms.get(i), "matchLabelExpressions"), errors))) {
                errors.duplicate(field, "\"\"");
            }
        }
    }

    private static Map<String, Set<String>> expressions(
            String field, List<JsonObject> expressions, FieldErrors errors) {
        Map<String, Set<String>> all = new HashMap<>();
        for (int i = 0; i < expressions.size(); i++) {
            String expression = field + "[" + i + "]";
            String key = Trees.text(expressions.get(i), "key");
            List<String> values = Trees.texts(expressions.get(i), "values");
            if (values.isEmpty()) {
                errors.required(expression + ".values", "");
            }
            Set<String> distinct = new HashSet<>();
            for (int j = 0; j < values.size(); j++) {
                if (!distinct.add(values.get(j))) {
                    errors.duplicate(expression + ".values[" + j + "]", '"' + values.get(j) + '"');
                }
            }
            NameRules.labelKey(expression + ".key", key, errors);
            if (all.putIfAbsent(key, distinct) != null) {
                errors.duplicate(expression + ".key", '"' + key + '"');
            }
        }
        return all;
    }

    static void checkUpdate(JsonObject updated, JsonObject current, FieldErrors errors) {
        Immutable.check("parameters", updated, current, errors);
        List.of("provisioner", "reclaimPolicy", "volumeBindingMode")
                .forEach(text -> Immutable.text(text, updated, current, errors));
    }
}
