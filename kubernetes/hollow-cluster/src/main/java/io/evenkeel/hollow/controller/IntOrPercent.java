package io.evenkeel.hollow.controller;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.evenkeel.model.json.Trees;

/** A number, or a share of a total such as {@code 25%}. */
final class IntOrPercent {

    private IntOrPercent() {}

    static long resolve(JsonObject tree, String name, String whenMissing, long total, boolean roundUp) {
        String text = Trees.at(tree, name).map(JsonElement::getAsString).orElse(whenMissing);
        if (!text.endsWith("%")) {
            return parse(text);
        }
        long hundredths = parse(text.substring(0, text.length() - 1)) * total;
        return roundUp ? Math.ceilDiv(hundredths, 100L) : hundredths / 100;
    }

    static boolean isPercent(JsonElement value) {
        return value instanceof JsonPrimitive primitive
                && primitive.getAsString().endsWith("%");
    }

    private static long parse(String text) {
        try {
            return Long.parseLong(text.strip());
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
