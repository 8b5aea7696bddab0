package io.evenkeel.hollow.kind;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.model.json.Trees;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A selector of pods or namespaces. */
final class SelectorSchema {
    private static final int MOST_LABELS = 64;
    private static final int MOST_EXPRESSIONS = 32;
    private static final int MOST_VALUES = 128;
    private static final Set<String> WITH_VALUES = Set.of("In", "NotIn");

    private final String place;
    private final JsonObject selector;
    private final Map<String, JsonElement> labels;
    private final List<JsonObject> expressions;

    SelectorSchema(String place, JsonObject selector) {
        this.place = place;
        this.selector = selector;
        labels =
                Trees.object(selector, "matchLabels").orElseGet(JsonObject::new).asMap();
        expressions = Trees.objects(selector, "matchExpressions");
    }

    void checkFields(FieldErrors errors) {
        if (labels.size() > MOST_LABELS) {
            errors.tooMany(place + ".matchLabels", labels.size(), MOST_LABELS);
        }
        labels.forEach(
                (key, value) -> LabelSchema.VALUE.check(place + ".matchLabels." + key, value.getAsString(), errors));
        new SchemaRules(place, selector, errors).atMost("matchExpressions", MOST_EXPRESSIONS);
        for (int i = 0; i < expressions.size(); i++) {
            SchemaRules expression = new SchemaRules(expression(i), expressions.get(i), errors);
            expression.required("key");
            expression.text("key", LabelSchema.KEY);
            expression.required("operator");
            expression.oneOf("operator", List.of("In", "NotIn", "Exists", "DoesNotExist"));
            expression.texts("values", MOST_VALUES, LabelSchema.VALUE);
        }
    }

    /** Not to be asked of a selector that is malformed. */
    void checkTogether(FieldErrors errors) {
        if (!labels.keySet().stream().allMatch(LabelSchema::isKey)) {
            errors.invalidObject(place + ".matchLabels", "has a key that no label can have");
        }
        for (int i = 0; i < expressions.size(); i++) {
            LabelSchema.checkPrefix(expression(i) + ".key", Trees.text(expressions.get(i), "key"), errors);
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
