package io.evenkeel.hollow.encoding;

import com.google.gson.JsonObject;
import io.evenkeel.model.json.Trees;
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

    /** Ages as kubectl shows them: two units while the smaller one still says something. */
    private static final class HumanDuration {

        private HumanDuration() {}

        static String of(Duration age) {
            long seconds = age.toSeconds();
            long minutes = seconds / 60;
            long hours = minutes / 60;
            long days = hours / 24;
            if (seconds < -1) {
                return "<invalid>";
            }
            if (seconds < 120) {
                return Math.max(seconds, 0) + "s";
            }
            if (minutes < 10) {
                return two(minutes, "m", seconds % 60, "s");
            }
            if (minutes < 180) {
                return minutes + "m";
            }
            if (hours < 8) {
                return two(hours, "h", minutes % 60, "m");
            }
            if (hours < 48) {
                return hours + "h";
            }
            if (days < 8) {
                return two(days, "d", hours % 24, "h");
            }
            if (days < 730) {
                return days + "d";
            }
            return days < 2920 ? two(days / 365, "y", days % 365, "d") : days / 365 + "y";
        }

        private static String two(long larger, String unit, long smaller, String smallerUnit) {
            return larger + unit + (smaller == 0 ? "" : smaller + smallerUnit);
        }
    }
}
