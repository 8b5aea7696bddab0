package io.evenkeel.model.decode;

import io.evenkeel.model.decode.cursor.FieldProblem;
import io.evenkeel.model.decode.cursor.JsonCursor;
import io.evenkeel.model.decode.cursor.ProtobufCursor;
import java.time.DateTimeException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A moment as JSON writes it; in protobuf {@code {1: seconds}}, and empty for none. */
enum TimeType implements FieldType<String> {
    TIME;

    @Override
    public String json(JsonCursor in) {
        return in.string();
    }

    @Override
    public String protobuf(ProtobufCursor field, ProtobufDecoder decoder, @Nullable Object before) {
        if (field.isEmpty()) {
            return "";
        }
        long seconds = 0;
        ProtobufCursor in = field.message();
        while (in.next()) {
            if (in.field() == 1) {
                seconds = in.int64();
            }
        }
        try {
            return Instant.ofEpochSecond(seconds).toString();
        } catch (DateTimeException outOfRange) {
            throw new FieldProblem("", seconds + " is no time");
        }
    }

    @Override
    public String typeName() {
        return "Time";
    }
}
