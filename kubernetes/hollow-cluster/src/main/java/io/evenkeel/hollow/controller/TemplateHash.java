package io.evenkeel.hollow.controller;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.TreeMap;

/** A short word for a template's content, made of letters that pod names may hold; equal templates have equal words. */
final class TemplateHash {

    private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";
    private static final int FNV_OFFSET = 0x811c9dc5;
    private static final int FNV_PRIME = 0x01000193;

    private TemplateHash() {}

    static String of(JsonObject template) {
        int hash = FNV_OFFSET;
        for (byte each : sorted(template).toString().getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (each & 0xff)) * FNV_PRIME;
        }
        StringBuilder word = new StringBuilder();
        Integer.toUnsignedString(hash).chars().forEach(digit -> word.append(LETTERS.charAt(digit % LETTERS.length())));
        return word.toString();
    }

    private static JsonElement sorted(JsonElement element) {
        return switch (element) {
            case JsonObject object -> {
                TreeMap<String, JsonElement> members = new TreeMap<>();
                object.entrySet().forEach(member -> members.put(member.getKey(), sorted(member.getValue())));
                JsonObject result = new JsonObject();
                members.forEach(result::add);
                yield result;
            }
            case JsonArray array -> {
                JsonArray result = new JsonArray();
                array.forEach(each -> result.add(sorted(each)));
                yield result;
            }
            default -> element;
        };
    }
}
