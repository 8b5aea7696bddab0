package io.evenkeel.hollow.encoding;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.evenkeel.schema.Field;
import io.evenkeel.schema.FieldType;
import io.evenkeel.schema.FieldType.Nested;
import io.evenkeel.schema.FieldType.Scalar;
import io.evenkeel.schema.MessageType;
import io.evenkeel.schema.Schema;
import java.util.Map;

/**
 * Writes JSON objects as messages. What the schema does not know is left out, and so is a value of another form than its
 * field's, which a real server would not have let in.
 */
final class MessageWriter {
    private final Schema schema = Schema.KUBERNETES;

    byte[] write(String message, JsonObject tree) {
        ProtobufOutput out = new ProtobufOutput();
        write(schema.message(message), tree, out);
        return out.toBytes();
    }

    private void write(MessageType type, JsonObject tree, ProtobufOutput out) {
        for (Map.Entry<String, JsonElement> member : tree.entrySet()) {
            Field field = type.fields().get(member.getKey());
            if (field != null) {
                write(field, member.getValue(), out);
            }
        }
        for (Field part : type.parts()) {
            write(part.number(), part.type(), tree, out);
        }
    }

    private void write(Field field, JsonElement value, ProtobufOutput out) {
        switch (field.count()) {
            case ONE -> write(field.number(), field.type(), value, out);
            case MANY -> {
                if (value.isJsonArray()) {
                    value.getAsJsonArray().forEach(element -> write(field.number(), field.type(), element, out));
                }
            }
            case MAP -> {
                if (value.isJsonObject()) {
                    value.getAsJsonObject().entrySet().forEach(entry -> writeEntry(field, entry, out));
                }
            }
        }
    }

    private void writeEntry(Field field, Map.Entry<String, JsonElement> entry, ProtobufOutput out) {
        int begun = out.begin(field.number());
        out.string(1, entry.getKey());
        write(2, field.type(), entry.getValue(), out);
        out.end(begun);
    }

    private void write(int number, FieldType type, JsonElement value, ProtobufOutput out) {
        switch (type) {
            case Nested nested -> {
                if (value.isJsonObject()) {
                    int begun = out.begin(number);
                    write(schema.message(nested.message()), value.getAsJsonObject(), out);
                    out.end(begun);
                }
            }
            case Scalar scalar -> ScalarWriter.write(number, scalar, value, out);
        }
    }
}
