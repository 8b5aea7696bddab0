package io.evenkeel.chart.docs;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.evenkeel.chart.helm.Yaml;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The values that a values.yaml describes. A comment right above a key describes it; a key without one belongs to the value
 * of the described key above it, or is but a group of described ones.
 */
record ValuesDoc(List<Value> values, List<String> undescribed) {
    /** @param fallback as JSON */
    record Value(String key, String fallback, String description) {}

    private static final Pattern KEY = Pattern.compile("( *)([A-Za-z]\\w*):(.*)");
    private static final Gson GSON =
            new GsonBuilder().serializeNulls().disableHtmlEscaping().create();

    private record Open(int indent, String key, boolean described) {}

    static ValuesDoc read(String text) {
        JsonObject defaults = Yaml.document(text);
        List<Value> values = new ArrayList<>();
        List<String> undescribed = new ArrayList<>();
        List<String> comment = new ArrayList<>();
        Deque<Open> path = new ArrayDeque<>();
        for (String line : text.lines().toList()) {
            String stripped = line.strip();
            if (stripped.startsWith("#")) {
                comment.add(stripped.substring(1).strip());
                continue;
            }
            Matcher key = KEY.matcher(line);
            if (key.matches()) {
                int indent = key.group(1).length();
                while (!path.isEmpty() && path.getLast().indent >= indent) {
                    path.removeLast();
                }
                String name = path.isEmpty() ? key.group(2) : path.getLast().key + "." + key.group(2);
                boolean inDescribed = !path.isEmpty() && path.getLast().described;
                if (!comment.isEmpty()) {
                    values.add(new Value(name, GSON.toJson(at(defaults, name)), String.join(" ", comment)));
                } else if (!inDescribed && !key.group(3).isBlank()) {
                    undescribed.add(name);
                }
                path.addLast(new Open(indent, name, inDescribed || !comment.isEmpty()));
            }
            comment.clear();
        }
        return new ValuesDoc(values, undescribed);
    }

    private static JsonElement at(JsonObject defaults, String key) {
        JsonElement value = defaults;
        for (String part : key.split("\\.", -1)) {
            value = value.getAsJsonObject().get(part);
        }
        return value;
    }
}
