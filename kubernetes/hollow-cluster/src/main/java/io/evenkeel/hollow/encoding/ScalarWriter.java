package io.evenkeel.hollow.encoding;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonPrimitive;
import io.evenkeel.schema.FieldType.Scalar;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;

/** Writes what JSON has as a single value. */
final class ScalarWriter {

    private ScalarWriter() {}

    static void write(int number, Scalar type, JsonElement value, ProtobufOutput out) {
        if (type == Scalar.JSON) {
            text(number, value.toString(), out);
        } else if (type == Scalar.TEXTS && value instanceof JsonArray texts) {
            int begun = out.begin(number);
            texts.forEach(text -> out.string(1, text.getAsString()));
            out.end(begun);
        } else if (type != Scalar.TEXTS && value instanceof JsonPrimitive primitive) {
            try {
                write(number, type, primitive, out);
            } catch (IllegalArgumentException | DateTimeException e) {
                // not a value of the field's form, which a real server would not have let in
            }
        }
    }

    /** Finds out whether the value is one before anything is written. */
    private static void write(int number, Scalar type, JsonPrimitive value, ProtobufOutput out) {
        switch (type) {
            case STRING -> out.string(number, value.getAsString());
            case INT -> {
                if (value.isNumber()) {
                    out.number(number, value.getAsLong());
                }
            }
            case BOOL -> out.number(number, value.getAsBoolean() ? 1 : 0);
            case BYTES -> out.bytes(number, Base64.getDecoder().decode(value.getAsString()));
            case QUANTITY -> text(number, value.getAsString(), out);
            case TIME, MICRO_TIME -> {
                Instant time = Instant.parse(value.getAsString());
                int begun = out.begin(number);
                out.number(1, time.getEpochSecond());
                out.number(2, type == Scalar.TIME ? 0 : time.getNano());
                out.end(begun);
            }
            case INT_OR_STRING -> {
                int begun = out.begin(number);
                if (value.isNumber()) {
                    out.number(1, 0).number(2, value.getAsLong());
                } else {
                    out.number(1, 1).string(3, value.getAsString());
                }
                out.end(begun);
            }
            case TEXTS, JSON -> throw new IllegalStateException("not one value: " + value);
        }
    }

    private static void text(int number, String text, ProtobufOutput out) {
        int begun = out.begin(number);
        out.string(1, text);
        out.end(begun);
    }
}
