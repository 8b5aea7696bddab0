package io.evenkeel.app.hollow.protobuf;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.evenkeel.app.hollow.json.Trees;
import io.evenkeel.app.hollow.protobuf.FieldType.Nested;
import io.evenkeel.app.hollow.protobuf.FieldType.Scalar;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Reads messages as JSON objects: what {@link MessageWriter} does, backwards. What the schema does not know is left out.
 * Clients in Go write an empty string where there is none, so that these are left out too where a field has but one value.
 */
final class MessageReader {
    private final Schema schema = Schema.load();

    JsonObject read(String message, byte[] bytes) {
        JsonObject tree = new JsonObject();
        read(schema.message(message), bytes, tree);
        return tree;
    }

    private void read(MessageType type, byte[] bytes, JsonObject tree) {
        WireInput in = new WireInput(bytes);
        for (int number = in.next(); number != 0; number = in.next()) {
            Optional<Field> field = type.field(number);
            Optional<Field> part = type.part(number);
            if (field.isPresent()) {
                read(field.get(), in, tree);
            } else if (part.isPresent() && part.get().type() instanceof Nested nested) {
                read(schema.message(nested.message()), in.bytes(), tree);
            } else {
                in.skip();
            }
        }
    }

    private void read(Field field, WireInput in, JsonObject tree) {
        switch (field.count()) {
            case ONE -> {
                JsonElement value = value(field.type(), in);
                if (!value.isJsonNull() && !value.equals(new JsonPrimitive(""))) {
                    tree.add(field.name(), value);
                }
            }
            case MANY -> Trees.ensureArray(tree, field.name()).add(value(field.type(), in));
            case MAP -> readEntry(field, in, Trees.ensureObject(tree, field.name()));
        }
    }

    private void readEntry(Field field, WireInput in, JsonObject entries) {
        String key = "";
        JsonElement value = new JsonPrimitive("");
        WireInput entry = new WireInput(in.bytes());
        for (int number = entry.next(); number != 0; number = entry.next()) {
            switch (number) {
                case 1 -> key = new String(entry.bytes(), UTF_8);
                case 2 -> value = value(field.type(), entry);
                default -> entry.skip();
            }
        }
        entries.add(key, value);
    }

    private JsonElement value(FieldType type, WireInput in) {
        return switch (type) {
            case Nested nested -> read(nested.message(), in.bytes());
            case Scalar scalar ->
                switch (scalar) {
                    case STRING -> new JsonPrimitive(new String(in.bytes(), UTF_8));
                    case INT -> new JsonPrimitive(in.number());
                    case BOOL -> new JsonPrimitive(in.number() != 0);
                    case BYTES -> new JsonPrimitive(Base64.getEncoder().encodeToString(in.bytes()));
                    case QUANTITY -> new JsonPrimitive(Group.of(in).text(1));
                    case TIME -> time(Group.of(in));
                    case INT_OR_STRING -> intOrString(Group.of(in));
                    case FIELDS -> Trees.parse(Group.of(in).text(1));
                };
        };
    }

    /** The time of no seconds is none. */
    private static JsonElement time(Group time) {
        boolean none = time.number(1) == 0 && time.number(2) == 0;
        return none
                ? JsonNull.INSTANCE
                : new JsonPrimitive(
                        Instant.ofEpochSecond(time.number(1), time.number(2)).toString());
    }

    private static JsonElement intOrString(Group either) {
        return either.number(1) == 0 ? new JsonPrimitive(either.number(2)) : new JsonPrimitive(either.text(3));
    }

    /** A message that JSON writes as a single value. */
    private record Group(Map<Integer, Long> numbers, Map<Integer, String> texts) {
        static Group of(WireInput around) {
            Group group = new Group(new HashMap<>(), new HashMap<>());
            WireInput in = new WireInput(around.bytes());
            for (int number = in.next(); number != 0; number = in.next()) {
                if (in.isNumber()) {
                    group.numbers.put(number, in.number());
                } else {
                    group.texts.put(number, new String(in.bytes(), UTF_8));
                }
            }
            return group;
        }

        long number(int field) {
            return numbers.getOrDefault(field, 0L);
        }

        String text(int field) {
            return texts.getOrDefault(field, "");
        }
    }
}
