package io.evenkeel.app.record;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** The fields of a header that is read; what is not there, or is something else, is an {@link IllegalArgumentException} that names it. */
final class HeaderFields {
    private final JsonObject json;
    private final String path;

    private HeaderFields(JsonObject json, String path) {
        this.json = json;
        this.path = path;
    }

    static HeaderFields of(String text) {
        try {
            if (JsonParser.parseString(text) instanceof JsonObject json) {
                return new HeaderFields(json, "");
            }
        } catch (JsonParseException malformed) {
            throw new IllegalArgumentException("it is no valid JSON", malformed);
        }
        throw new IllegalArgumentException("it is no JSON object");
    }

    HeaderFields object(String name) {
        if (json.get(name) instanceof JsonObject object) {
            return new HeaderFields(object, path + name + ".");
        }
        throw wrong(name, "an object");
    }

    String json(String name) {
        return object(name).json.toString();
    }

    String text(String name) {
        return primitive(name, "a text").getAsString();
    }

    long number(String name) {
        return read(name, "a whole number", Long::parseLong);
    }

    int small(String name) {
        return read(name, "a whole number", Integer::parseInt);
    }

    boolean flag(String name) {
        JsonPrimitive value = primitive(name, "true or false");
        if (!value.isBoolean()) {
            throw wrong(name, "true or false");
        }
        return value.getAsBoolean();
    }

    /** A text that says something. */
    <T> T read(String name, String expected, Function<String, T> reader) {
        try {
            return reader.apply(primitive(name, expected).getAsString());
        } catch (RuntimeException unreadable) {
            throw wrong(name, expected);
        }
    }

    List<String> texts(String name) {
        if (!(json.get(name) instanceof JsonArray array)) {
            throw wrong(name, "a list of texts");
        }
        List<String> texts = new ArrayList<>();
        for (JsonElement text : array) {
            if (!(text instanceof JsonPrimitive primitive)) {
                throw wrong(name, "a list of texts");
            }
            texts.add(primitive.getAsString());
        }
        return texts;
    }

    Map<String, Boolean> flags(String name) {
        HeaderFields all = object(name);
        Map<String, Boolean> flags = new TreeMap<>();
        all.json.keySet().forEach(flag -> flags.put(flag, all.flag(flag)));
        return flags;
    }

    private JsonPrimitive primitive(String name, String expected) {
        if (json.get(name) instanceof JsonPrimitive primitive) {
            return primitive;
        }
        throw wrong(name, expected);
    }

    private IllegalArgumentException wrong(String name, String expected) {
        return new IllegalArgumentException(path + name + ": expected " + expected
                + (json.has(name) ? ", got " + json.get(name) : ", and it is not there"));
    }
}
