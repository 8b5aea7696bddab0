package io.evenkeel.model.json;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import com.google.gson.Strictness;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Steps through JSON trees that may lack members. */
public final class Trees {

    private static final Gson STRICT =
            new GsonBuilder().setStrictness(Strictness.STRICT).create();

    private Trees() {}

    /** Parses what a server has sent: JSON by its letter, of nothing null. Throws Gson's JsonParseException on anything else. */
    public static JsonElement strict(String json) {
        try {
            JsonElement read = STRICT.fromJson(json, JsonElement.class);
            return read == null ? JsonNull.INSTANCE : read;
        } catch (JsonParseException malformed) {
            throw new JsonParseException(
                    "it is no valid JSON", malformed); // whose words advise to take it all the same
        }
    }

    /** Parses an object; throws Gson's JsonParseException on anything else. */
    public static JsonObject parse(String json) {
        JsonElement element = JsonParser.parseString(json);
        if (!element.isJsonObject()) {
            throw new JsonParseException("expected an object, got: " + abbreviated(json));
        }
        return element.getAsJsonObject();
    }

    /** An object of members: a name and a value in turn, which may be a list. */
    public static JsonObject of(Object... members) {
        JsonObject tree = new JsonObject();
        for (int i = 0; i < members.length; i += 2) {
            tree.add((String) members[i], element(members[i + 1]));
        }
        return tree;
    }

    private static JsonElement element(Object value) {
        return switch (value) {
            case JsonElement element -> element;
            case String text -> new JsonPrimitive(text);
            case Number number -> new JsonPrimitive(number);
            case Boolean truth -> new JsonPrimitive(truth);
            case List<?> list -> {
                JsonArray array = new JsonArray();
                list.forEach(each -> array.add(element(each)));
                yield array;
            }
            default -> throw new IllegalArgumentException("no JSON: " + value);
        };
    }

    public static Optional<JsonElement> at(JsonObject tree, String... path) {
        JsonElement element = tree;
        for (String step : path) {
            if (!element.isJsonObject() || !element.getAsJsonObject().has(step)) {
                return Optional.empty();
            }
            element = element.getAsJsonObject().get(step);
        }
        return element.isJsonNull() ? Optional.empty() : Optional.of(element);
    }

    public static Optional<JsonObject> object(JsonObject tree, String... path) {
        return at(tree, path).filter(JsonElement::isJsonObject).map(JsonElement::getAsJsonObject);
    }

    /** The member that is an object; it is put there empty if it was missing. One of another form stays for its reader to refuse. */
    public static JsonObject ensureObject(JsonObject tree, String name) {
        return object(tree, name).orElseGet(() -> putMissing(tree, name, new JsonObject()));
    }

    public static JsonArray ensureArray(JsonObject tree, String name) {
        return array(tree, name).orElseGet(() -> putMissing(tree, name, new JsonArray()));
    }

    private static <T extends JsonElement> T putMissing(JsonObject tree, String name, T created) {
        if (at(tree, name).isEmpty()) {
            tree.add(name, created);
        }
        return created;
    }

    public static Optional<JsonArray> array(JsonObject tree, String... path) {
        return at(tree, path).filter(JsonElement::isJsonArray).map(JsonElement::getAsJsonArray);
    }

    /** The objects of an array; none where the array is missing. */
    public static List<JsonObject> objects(JsonObject tree, String... path) {
        return elements(tree, path)
                .filter(JsonElement::isJsonObject)
                .map(JsonElement::getAsJsonObject)
                .toList();
    }

    public static List<String> texts(JsonObject tree, String... path) {
        return elements(tree, path)
                .filter(JsonElement::isJsonPrimitive)
                .map(JsonElement::getAsString)
                .toList();
    }

    private static Stream<JsonElement> elements(JsonObject tree, String... path) {
        return array(tree, path).stream().flatMap(array -> array.asList().stream());
    }

    /** The value as text; empty where it is missing. */
    public static String text(JsonObject tree, String... path) {
        return at(tree, path)
                .filter(JsonElement::isJsonPrimitive)
                .map(JsonElement::getAsString)
                .orElse("");
    }

    public static Optional<Long> number(JsonObject tree, String... path) {
        return at(tree, path)
                .filter(element -> element instanceof JsonPrimitive primitive && primitive.isNumber())
                .map(JsonElement::getAsLong);
    }

    public static boolean isTrue(JsonObject tree, String... path) {
        return text(tree, path).equals("true");
    }

    public static void fill(JsonObject tree, String name, String value) {
        if (at(tree, name).isEmpty()) {
            tree.addProperty(name, value);
        }
    }

    public static void fill(JsonObject tree, String name, long value) {
        if (at(tree, name).isEmpty()) {
            tree.addProperty(name, value);
        }
    }

    private static String abbreviated(String text) {
        return text.length() <= 80 ? text : text.substring(0, 80) + "…";
    }
}
