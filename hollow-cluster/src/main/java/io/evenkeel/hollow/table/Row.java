package io.evenkeel.hollow.table;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.json.Trees;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/** An object at the time it is shown. */
record Row(JsonObject tree, Instant now) {

    /** How long ago a time was; {@code <unknown>} where it is missing. */
    String since(String... path) {
        String time = Trees.text(tree, path);
        return time.isEmpty() ? "<unknown>" : HumanDuration.of(Duration.between(Instant.parse(time), now));
    }

    long count(String... path) {
        return Trees.number(tree, path).orElse(0L);
    }

    String textOr(String otherwise, String... path) {
        String text = Trees.text(tree, path);
        return text.isEmpty() ? otherwise : text;
    }

    /** A field of the pod template's containers, joined by commas. */
    String ofContainers(String field) {
        return Trees.objects(tree, "spec", "template", "spec", "containers").stream()
                .map(container -> Trees.text(container, field))
                .collect(Collectors.joining(","));
    }

    String labels(String... path) {
        List<String> pairs = Trees.object(tree, path).stream()
                .flatMap(labels -> labels.entrySet().stream())
                .map(label -> label.getKey() + "=" + label.getValue().getAsString())
                .toList();
        return pairs.isEmpty() ? "<none>" : String.join(",", pairs);
    }
}
