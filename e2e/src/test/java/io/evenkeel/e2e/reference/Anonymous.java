package io.evenkeel.e2e.reference;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Objects without what differs from run to run: times, UIDs, versions and random names become words for them. */
final class Anonymous {
    private static final Pattern SECONDS = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");
    private static final Pattern MICROS = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z");
    private static final Pattern UID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final Pattern SUFFIX_OF_EVENT = Pattern.compile("\\.[0-9a-f]{16}$");
    private static final String VERSION = "resourceVersion";

    private Anonymous() {}

    /** The text of an object, its fields in order. */
    static String text(JsonObject original) {
        return object(original).toString();
    }

    private static JsonObject object(JsonObject original) {
        JsonObject anonymous = new JsonObject();
        new TreeMap<>(original.asMap())
                .forEach((name, value) ->
                        anonymous.add(name, name.equals(VERSION) ? new JsonPrimitive("(version)") : element(value)));
        return anonymous;
    }

    private static JsonElement element(JsonElement original) {
        if (original.isJsonObject()) {
            return object(original.getAsJsonObject());
        }
        if (original.isJsonArray()) {
            JsonArray anonymous = new JsonArray();
            original.getAsJsonArray().forEach(item -> anonymous.add(element(item)));
            return anonymous;
        }
        boolean isText =
                original.isJsonPrimitive() && original.getAsJsonPrimitive().isString();
        return isText ? new JsonPrimitive(word(original.getAsString())) : original;
    }

    private static String word(String original) {
        String text = SECONDS.matcher(original).replaceAll("(time)");
        text = MICROS.matcher(text).replaceAll("(time in microseconds)");
        text = UID.matcher(text).replaceAll("(uid)");
        return SUFFIX_OF_EVENT.matcher(text).replaceAll(".(suffix)");
    }
}
