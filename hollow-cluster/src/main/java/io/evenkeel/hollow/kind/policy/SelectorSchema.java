package io.evenkeel.hollow.kind.policy;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.json.Trees;
import io.evenkeel.hollow.kind.field.SchemaRules;
import io.evenkeel.hollow.status.FieldErrors;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A selector of pods or namespaces. What it says need be no label: a custom resource's schema knows of none. */
final class SelectorSchema {
    private static final int MOST_LABELS = 64;
    private static final int MOST_EXPRESSIONS = 32;
    private static final int MOST_VALUES = 128;
    private static final int LONGEST_KEY = 317;
    private static final int LONGEST_VALUE = 63;
    private static final Set<String> WITH_VALUES = Set.of("In", "NotIn");

    private final String place;
    private final JsonObject selector;
    private final List<JsonObject> expressions;

    SelectorSchema(String place, JsonObject selector) {
        this.place = place;
        this.selector = selector;
        expressions = Trees.objects(selector, "matchExpressions");
    }

    void checkFields(FieldErrors errors) {
        Map<String, JsonElement> labels =
                Trees.object(selector, "matchLabels").orElseGet(JsonObject::new).asMap();
        if (labels.size() > MOST_LABELS) {
            errors.tooMany(place + ".matchLabels", labels.size(), MOST_LABELS);
        }
        labels.forEach((key, value) -> {
            if (value.getAsString().length() > LONGEST_VALUE) {
                errors.tooLong(place + ".matchLabels." + key, LONGEST_VALUE);
            }
        });
        new SchemaRules(place, selector, errors).atMost("matchExpressions", MOST_EXPRESSIONS);
        for (int i = 0; i < expressions.size(); i++) {
            SchemaRules expression = new SchemaRules(expression(i), expressions.get(i), errors);
            expression.required("key");
            expression.text("key", LONGEST_KEY);
            expression.required("operator");
            expression.oneOf("operator", List.of("In", "NotIn", "Exists", "DoesNotExist"));
            expression.atMost("values", MOST_VALUES);
        }
    }

    /** Not to be asked of a selector that is malformed. */
    void checkTogether(FieldErrors errors) {
        for (int i = 0; i < expressions.size(); i++) {
            boolean wants = WITH_VALUES.contains(Trees.text(expressions.get(i), "operator"));
            if (wants == Trees.texts(expressions.get(i), "values").isEmpty()) {
                errors.invalidObject(expression(i), "values belong to In and NotIn, which need some");
            }
        }
    }

    private String expression(int index) {
        return place + ".matchExpressions[" + index + "]";
    }
}
