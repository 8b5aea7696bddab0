package io.evenkeel.hollow.encoding;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.evenkeel.model.json.Trees;
import io.evenkeel.schema.Field;
import io.evenkeel.schema.FieldType;
import io.evenkeel.schema.FieldType.Nested;
import io.evenkeel.schema.FieldType.Scalar;
import io.evenkeel.schema.MessageType;
import io.evenkeel.schema.Schema;
import java.util.Optional;
import java.util.Set;

/**
 * Reads messages as JSON objects: what {@link MessageWriter} does, backwards. What the schema does not know is left out.
 * Clients in Go write a zero or an empty string where there is none, so that these are left out too, save where the schema
 * says that they are values.
 */
final class MessageReader {
    private static final Set<JsonElement> ZEROS =
            Set.of(new JsonPrimitive(""), new JsonPrimitive(0L), new JsonPrimitive(false));

    private final Schema schema = Schema.KUBERNETES;

    JsonObject read(String message, byte[] bytes) {
        JsonObject tree = new JsonObject();
        read(schema.message(message), bytes, tree);
        return tree;
    }

    private void read(MessageType type, byte[] bytes, JsonObject tree) {
        ProtobufInput in = new ProtobufInput(bytes);
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

    private void read(Field field, ProtobufInput in, JsonObject tree) {
        switch (field.count()) {
            case ONE -> {
                JsonElement value = value(field.type(), in);
                if (!value.isJsonNull() && (field.keepsZero() || !ZEROS.contains(value))) {
                    tree.add(field.name(), value);
                }
            }
            case MANY -> Trees.ensureArray(tree, field.name()).add(value(field.type(), in));
            case MAP -> readEntry(field, in, Trees.ensureObject(tree, field.name()));
        }
    }

    private void readEntry(Field field, ProtobufInput in, JsonObject entries) {
        String key = "";
        JsonElement value = new JsonPrimitive("");
        ProtobufInput entry = new ProtobufInput(in.bytes());
        for (int number = entry.next(); number != 0; number = entry.next()) {
            switch (number) {
                case 1 -> key = new String(entry.bytes(), UTF_8);
                case 2 -> value = value(field.type(), entry);
                default -> entry.skip();
            }
        }
        entries.add(key, value);
    }

    private JsonElement value(FieldType type, ProtobufInput in) {
        return switch (type) {
            case Nested nested -> read(nested.message(), in.bytes());
            case Scalar scalar -> ScalarReader.read(scalar, in);
        };
    }
}
