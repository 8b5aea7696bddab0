package io.evenkeel.hollow.resource;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import io.evenkeel.model.json.Trees;
import java.util.Arrays;
import java.util.List;

/**
 * RFC 6902: a list of operations, all or nothing. As on a real API server a member that an object has not is null where
 * it is read, so that {@code replace} sets one that is not there yet; only {@code remove} and {@code move} need it.
 */
record JsonPatch(JsonArray operations) implements Patch {

    @Override
    public JsonObject applyTo(JsonObject tree) {
        for (JsonElement element : operations) {
            apply(element.getAsJsonObject(), tree);
        }
        return tree;
    }

    private static void apply(JsonObject operation, JsonObject tree) {
        List<String> path = pointer(operation, "path");
        switch (Trees.text(operation, "op")) {
            case "add" -> add(tree, path, value(operation));
            case "remove" -> remove(tree, path);
            case "replace" -> replace(tree, path, value(operation));
            case "copy" ->
                add(tree, path, find(tree, pointer(operation, "from")).deepCopy());
            case "move" -> add(tree, path, remove(tree, pointer(operation, "from")));
            case "test" -> {
                if (!find(tree, path).equals(value(operation))) {
                    throw rejected();
                }
            }
            default -> throw rejected();
        }
    }

    private static JsonElement value(JsonObject operation) {
        if (!operation.has("value")) {
            throw rejected();
        }
        return operation.get("value").deepCopy();
    }

    private static JsonElement find(JsonElement tree, List<String> path) {
        JsonElement element = tree;
        for (String step : path) {
            element = child(element, step);
        }
        return element;
    }

    private static JsonElement child(JsonElement parent, String step) {
        if (parent instanceof JsonObject object) {
            return object.has(step) ? object.get(step) : JsonNull.INSTANCE;
        }
        if (parent instanceof JsonArray array) {
            return array.get(index(step, array.size() - 1));
        }
        throw rejected();
    }

    private static void add(JsonObject tree, List<String> path, JsonElement value) {
        JsonElement parent = parent(tree, path);
        String last = path.getLast();
        switch (parent) {
            case JsonObject object -> object.add(last, value);
            case JsonArray array -> insert(array, last.equals("-") ? array.size() : index(last, array.size()), value);
            default -> throw rejected();
        }
    }

    private static void replace(JsonObject tree, List<String> path, JsonElement value) {
        JsonElement parent = parent(tree, path);
        String last = path.getLast();
        switch (parent) {
            case JsonObject object -> object.add(last, value);
            case JsonArray array -> array.set(index(last, array.size() - 1), value);
            default -> throw rejected();
        }
    }

    private static JsonElement remove(JsonObject tree, List<String> path) {
        JsonElement parent = parent(tree, path);
        String last = path.getLast();
        if (parent instanceof JsonObject object && object.has(last)) {
            return object.remove(last);
        }
        if (parent instanceof JsonArray array) {
            return array.remove(index(last, array.size() - 1));
        }
        throw rejected();
    }

    private static JsonElement parent(JsonObject tree, List<String> path) {
        if (path.isEmpty()) {
            throw rejected();
        }
        return find(tree, path.subList(0, path.size() - 1));
    }

    private static void insert(JsonArray array, int at, JsonElement value) {
        array.add(value);
        for (int i = array.size() - 1; i > at; i--) {
            array.set(i, array.get(i - 1));
        }
        array.set(at, value);
    }

    private static int index(String step, int largest) {
        if (!step.matches("0|[1-9][0-9]{0,8}") || Integer.parseInt(step) > largest) {
            throw rejected();
        }
        return Integer.parseInt(step);
    }

    private static List<String> pointer(JsonObject operation, String member) {
        String pointer = Trees.text(operation, member);
        if (pointer.isEmpty()) {
            return List.of();
        }
        if (!pointer.startsWith("/")) {
            throw rejected();
        }
        return Arrays.stream(pointer.substring(1).split("/", -1))
                .map(step -> step.replace("~1", "/").replace("~0", "~"))
                .toList();
    }

    private static ApiException rejected() {
        return Refusals.refuse(
                422, "Invalid", "the server rejected our request due to an error in our request", new JsonObject());
    }
}
