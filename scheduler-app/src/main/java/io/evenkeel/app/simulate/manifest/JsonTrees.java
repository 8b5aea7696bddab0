package io.evenkeel.app.simulate.manifest;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.Collection;
import java.util.Map;

/** Trees of maps, lists and scalars as trees of JSON. */
final class JsonTrees {
    private JsonTrees() {}

    static JsonElement of(Object tree) {
        return switch (tree) {
            case Map<?, ?> map -> {
                JsonObject object = new JsonObject();
                map.forEach((key, value) -> object.add(String.valueOf(key), of(value)));
                yield object;
            }
            case Collection<?> all -> {
                JsonArray array = new JsonArray();
                all.forEach(each -> array.add(of(each)));
                yield array;
            }
            case Boolean truth -> new JsonPrimitive(truth);
            case Double none when !Double.isFinite(none) -> new JsonPrimitive(none.toString()); // which JSON has not
            case Number number -> new JsonPrimitive(number);
            default -> new JsonPrimitive(tree.toString());
        };
    }
}
