package io.evenkeel.hollow.kind.storage;

import com.google.gson.FormattingStyle;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Values as refusals show them. */
final class Shown {

    private static final Gson COMPACT =
            new GsonBuilder().serializeNulls().disableHtmlEscaping().create();
    private static final Gson LINES = new GsonBuilder()
            .serializeNulls()
            .disableHtmlEscaping()
            .setFormattingStyle(FormattingStyle.PRETTY.withIndent(" "))
            .create();

    private Shown() {}

    /** A value as the API has it. */
    static String value(Optional<JsonElement> value) {
        return value.map(each -> escaped(COMPACT.toJson(sorted(each)))).orElse("null");
    }

    /** A value in its internal form. */
    static String form(Optional<JsonObject> form) {
        return value(form.map(each -> each));
    }

    /** The lines that differ, and three around them. */
    static String difference(JsonObject before, JsonObject after) {
        return LineDifference.between(lines(before), lines(after));
    }

    private static List<String> lines(JsonObject tree) {
        return escaped(LINES.toJson(sorted(tree))).lines().toList();
    }

    private static String escaped(String json) {
        return json.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026");
    }

    /** Sorts the keys of maps; keys of objects stay as they are. */
    private static JsonElement sorted(JsonElement value) {
        if (!(value instanceof JsonObject object)) {
            return value;
        }
        JsonObject sorted = new JsonObject();
        Map<String, JsonElement> members = isMap(object) ? new TreeMap<>(object.asMap()) : object.asMap();
        members.forEach((name, member) -> sorted.add(name, sorted(member)));
        return sorted;
    }

    /** Fields of internal forms begin with capitals, and selectors hold more than texts. */
    private static boolean isMap(JsonObject object) {
        return object.asMap().values().stream().allMatch(JsonElement::isJsonPrimitive)
                && object.keySet().stream().noneMatch(name -> name.matches("[A-Z].*"));
    }
}
