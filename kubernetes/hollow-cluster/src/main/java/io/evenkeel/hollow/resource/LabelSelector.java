package io.evenkeel.hollow.resource;

import com.google.gson.JsonObject;
import io.evenkeel.model.json.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Requirements on labels; all must hold. */
public record LabelSelector(List<LabelRequirement> requirements) {

    public static final LabelSelector EVERYTHING = new LabelSelector(List.of());

    public LabelSelector {
        requirements = List.copyOf(requirements);
    }

    /** Reads the text of a {@code labelSelector} parameter. */
    public static LabelSelector parse(String text) {
        return text.isBlank() ? EVERYTHING : new LabelSelector(new LabelSelectorParser(text).parse());
    }

    /** Reads the {@code matchLabels} and {@code matchExpressions} of an object. */
    public static LabelSelector of(JsonObject selector) {
        List<LabelRequirement> requirements = new ArrayList<>();
        Trees.object(selector, "matchLabels")
                .ifPresent(labels -> labels.entrySet()
                        .forEach(label -> requirements.add(LabelRequirement.in(
                                label.getKey(), List.of(label.getValue().getAsString())))));
        for (JsonObject expression : Trees.objects(selector, "matchExpressions")) {
            String key = Trees.text(expression, "key");
            List<String> values = Trees.texts(expression, "values");
            requirements.add(
                    switch (Trees.text(expression, "operator")) {
                        case "In" -> LabelRequirement.in(key, values);
                        case "NotIn" -> LabelRequirement.notIn(key, values);
                        case "Exists" -> new LabelRequirement(key, LabelRequirement.Operator.EXISTS, List.of());
                        default -> new LabelRequirement(key, LabelRequirement.Operator.DOES_NOT_EXIST, List.of());
                    });
        }
        return new LabelSelector(requirements);
    }

    public boolean isEverything() {
        return requirements.isEmpty();
    }

    public boolean matches(JsonObject tree) {
        return requirements.isEmpty() || matches(labelsOf(tree));
    }

    private boolean matches(Map<String, String> labels) {
        return requirements.stream().allMatch(requirement -> requirement.matches(labels));
    }

    private static Map<String, String> labelsOf(JsonObject tree) {
        return Trees.object(tree, "metadata", "labels")
                .map(labels -> labels.entrySet().stream()
                        .collect(Collectors.toMap(
                                Map.Entry::getKey, label -> label.getValue().getAsString())))
                .orElse(Map.of());
    }
}
