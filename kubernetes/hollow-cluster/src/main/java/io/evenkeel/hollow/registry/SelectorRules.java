package io.evenkeel.hollow.registry;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.model.json.Trees;
import java.util.List;

/** The selectors of labels and of nodes. They look alike, but only nodes are compared with numbers. */
final class SelectorRules {

    private static final String NO_OPERATOR = "not a valid selector operator";

    private SelectorRules() {}

    static void labels(String field, JsonObject selector, FieldErrors errors) {
        Trees.object(selector, "matchLabels")
                .ifPresent(labels -> labels.entrySet().forEach(label -> {
                    NameRules.labelKey(field + ".matchLabels", label.getKey(), errors);
                    NameRules.labelValue(
                            field + ".matchLabels", label.getValue().getAsString(), errors);
                }));
        List<JsonObject> expressions = Trees.objects(selector, "matchExpressions");
        for (int i = 0; i < expressions.size(); i++) {
            expression(field + ".matchExpressions[" + i + "]", expressions.get(i), false, errors);
        }
    }

    /** The terms by which nodes are chosen. */
    static void nodes(String field, JsonObject selector, FieldErrors errors) {
        List<JsonObject> terms = Trees.objects(selector, "nodeSelectorTerms");
        if (terms.isEmpty()) {
            errors.required(field + ".nodeSelectorTerms", "must have at least one node selector term");
        }
        for (int i = 0; i < terms.size(); i++) {
            String term = field + ".nodeSelectorTerms[" + i + "]";
            List<JsonObject> expressions = Trees.objects(terms.get(i), "matchExpressions");
            for (int j = 0; j < expressions.size(); j++) {
                expression(term + ".matchExpressions[" + j + "]", expressions.get(j), true, errors);
            }
            List<JsonObject> fields = Trees.objects(terms.get(i), "matchFields");
            for (int j = 0; j < fields.size(); j++) {
                nodeName(term + ".matchFields[" + j + "]", fields.get(j), errors);
            }
        }
    }

    private static void expression(String field, JsonObject expression, boolean compares, FieldErrors errors) {
        List<String> values = Trees.texts(expression, "values");
        String operator = Trees.text(expression, "operator");
        switch (operator) {
            case "In", "NotIn" -> {
                if (values.isEmpty()) {
                    errors.required(field + ".values", "must be specified when `operator` is 'In' or 'NotIn'");
                }
            }
            case "Exists", "DoesNotExist" -> {
                if (!values.isEmpty()) {
                    errors.forbidden(
                            field + ".values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
                }
            }
            case "Gt", "Lt" -> {
                if (!compares) {
                    errors.invalid(field + ".operator", operator, NO_OPERATOR);
                } else if (values.size() != 1) {
                    errors.required(
                            field + ".values", "must be specified single value when `operator` is 'Lt' or 'Gt'");
                }
            }
            default -> errors.invalid(field + ".operator", operator, NO_OPERATOR);
        }
        NameRules.labelKey(field + ".key", Trees.text(expression, "key"), errors);
        for (int i = 0; i < values.size(); i++) {
            NameRules.labelValue(field + ".values[" + i + "]", values.get(i), errors);
        }
    }

    /** A node has one field to be chosen by: its name. */
    private static void nodeName(String field, JsonObject requirement, FieldErrors errors) {
        List<String> values = Trees.texts(requirement, "values");
        String operator = Trees.text(requirement, "operator");
        if (!List.of("In", "NotIn").contains(operator)) {
            errors.invalid(field + ".operator", operator, NO_OPERATOR);
        } else if (values.size() != 1) {
            errors.required(
                    field + ".values",
                    "must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
        }
        String key = Trees.text(requirement, "key");
        if (!key.equals("metadata.name")) {
            errors.invalid(field + ".key", key, "not a valid field selector key");
            return;
        }
        for (int i = 0; i < values.size(); i++) {
            NameRules.subdomain(field + ".values[" + i + "]", values.get(i), errors);
        }
    }
}
