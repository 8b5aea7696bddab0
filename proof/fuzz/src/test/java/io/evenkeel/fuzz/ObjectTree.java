package io.evenkeel.fuzz;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.evenkeel.schema.Schema;
import io.evenkeel.schema.Schema.Field;
import io.evenkeel.schema.Schema.FieldType;
import io.evenkeel.schema.Schema.FieldType.Nested;
import io.evenkeel.schema.Schema.FieldType.Scalar;
import io.evenkeel.schema.Schema.MessageType;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/** An object that has the form which the schema gives it, and values which a fuzzer chooses, sensible ones and others. */
final class ObjectTree {
    private static final int DEEPEST = 12;

    /** What readers have opinions on. */
    private static final List<String> WORDS = List.of(
            "",
            "a",
            "zone",
            "Always",
            "Exists",
            "In",
            "NotIn",
            "Equal",
            "NoSchedule",
            "DoNotSchedule",
            "Honor",
            "Never",
            "100m",
            "1Gi",
            "0.5",
            "1e3",
            "-1",
            "TCP",
            "PreferNoSchedule",
            "kubernetes.io/hostname");

    private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

    private final Draws draws;

    ObjectTree(Draws draws) {
        this.draws = draws;
    }

    JsonObject of(String message) {
        return message(message, 0);
    }

    private JsonObject message(String message, int depth) {
        MessageType type = Schema.KUBERNETES.message(message);
        JsonObject tree = new JsonObject();
        fill(tree, type, depth);
        for (Field part : type.parts()) {
            if (part.type() instanceof Nested nested) {
                fill(tree, Schema.KUBERNETES.message(nested.message()), depth);
            }
        }
        return tree;
    }

    private void fill(JsonObject tree, MessageType type, int depth) {
        List<Field> fields = type.fields().values().stream()
                .sorted(Comparator.comparingInt(Field::number))
                .toList();
        if (fields.isEmpty() || depth > DEEPEST) {
            return;
        }
        for (int left = draws.below(8); left > 0 && draws.areLeft(); left--) {
            Field field = draws.from(fields);
            tree.add(field.name(), value(field, depth));
        }
    }

    private JsonElement value(Field field, int depth) {
        return switch (field.count()) {
            case ONE -> value(field.type(), depth);
            case MANY -> {
                JsonArray values = new JsonArray();
                for (int left = draws.below(4); left > 0; left--) {
                    values.add(value(field.type(), depth));
                }
                yield values;
            }
            case MAP -> {
                JsonObject entries = new JsonObject();
                for (int left = draws.below(4); left > 0; left--) {
                    entries.add(text(), value(field.type(), depth));
                }
                yield entries;
            }
        };
    }

    private JsonElement value(FieldType type, int depth) {
        return switch (type) {
            case Nested nested -> message(nested.message(), depth + 1);
            case Scalar scalar -> value(scalar);
        };
    }

    private JsonElement value(Scalar type) {
        return switch (type) {
            case STRING, QUANTITY -> new JsonPrimitive(text());
            case INT -> new JsonPrimitive(draws.number());
            case BOOL -> new JsonPrimitive(draws.isTrue());
            case BYTES -> new JsonPrimitive("AAAA");
            case TIME, MICRO_TIME -> new JsonPrimitive(time());
            case INT_OR_STRING -> draws.isTrue() ? new JsonPrimitive(draws.number()) : new JsonPrimitive(text());
            case TEXTS -> {
                JsonArray texts = new JsonArray();
                texts.add(text());
                yield texts;
            }
            case JSON -> new JsonObject();
        };
    }

    private String text() {
        return draws.isTrue() ? draws.text() : draws.from(WORDS);
    }

    private String time() {
        long span = LAST.getEpochSecond() - FIRST.getEpochSecond();
        return FIRST.plusSeconds(Math.floorMod(draws.number(), span)).toString();
    }
}
