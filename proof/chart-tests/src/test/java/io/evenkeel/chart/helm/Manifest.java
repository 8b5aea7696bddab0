package io.evenkeel.chart.helm;

import com.google.gson.JsonObject;
import io.evenkeel.model.json.Trees;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** An object as the chart describes it. What is not there is empty. */
public record Manifest(JsonObject tree) {

    public String apiVersion() {
        return text("apiVersion");
    }

    public String kind() {
        return text("kind");
    }

    public String name() {
        return text("metadata", "name");
    }

    public String namespace() {
        return text("metadata", "namespace");
    }

    public Map<String, String> labels() {
        return strings("metadata", "labels");
    }

    public String text(String... path) {
        return Trees.text(tree, path);
    }

    public JsonObject object(String... path) {
        return Trees.object(tree, path).orElseGet(JsonObject::new);
    }

    public Map<String, String> strings(String... path) {
        return strings(object(path));
    }

    public static Map<String, String> strings(JsonObject object) {
        return object.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, member -> member.getValue().getAsString()));
    }

    public List<JsonObject> objects(String... path) {
        return Trees.objects(tree, path);
    }

    @Override
    public String toString() {
        return kind() + " " + namespace() + "/" + name();
    }
}
