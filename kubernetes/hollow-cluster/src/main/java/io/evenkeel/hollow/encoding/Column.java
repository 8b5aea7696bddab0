package io.evenkeel.hollow.encoding;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.evenkeel.model.json.Trees;
import java.util.function.Function;

/**
 * A column and how its cells come out of objects.
 *
 * @param wide shown only on {@code -o wide}
 */
record Column(String name, String type, boolean wide, Function<Row, JsonElement> cell) {

    static final Column NAME = text("Name", row -> Trees.text(row.tree(), "metadata", "name"));
    static final Column AGE = text("Age", row -> row.since("metadata", "creationTimestamp"));

    static Column text(String name, Function<Row, String> cell) {
        return new Column(name, "string", false, cell.andThen(JsonPrimitive::new));
    }

    static Column wide(String name, Function<Row, String> cell) {
        return new Column(name, "string", true, cell.andThen(JsonPrimitive::new));
    }

    static Column number(String name, Function<Row, Long> cell) {
        return new Column(name, "integer", false, cell.andThen(JsonPrimitive::new));
    }

    JsonObject definition() {
        JsonObject definition = new JsonObject();
        definition.addProperty("name", name);
        definition.addProperty("type", type);
        definition.addProperty("format", name.equals("Name") ? "name" : "");
        definition.addProperty("description", "");
        definition.addProperty("priority", wide ? 1 : 0);
        return definition;
    }
}
