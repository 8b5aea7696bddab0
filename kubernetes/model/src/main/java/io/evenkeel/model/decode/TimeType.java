package io.evenkeel.model.decode;

import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.model.decode.cursor.FieldProblem;
import io.evenkeel.model.decode.cursor.JsonCursor;
import io.evenkeel.model.decode.cursor.ProtobufCursor;
import java.time.DateTimeException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A moment as JSON writes it; in protobuf {@code {1: seconds}}, and empty for none. */
enum TimeType implements FieldType<String> {
    TIME,
    /** Times of custom resources; their schemas let strings pass that are no times to others: these count as absent. */
    TIME_OR_NONE;

    @Override
    public String json(JsonCursor in) {
        String text = in.string();
        try {
            return Rfc3339.normalized(text);
        } catch (DateTimeException none) {
            if (this == TIME_OR_NONE) {
                return "";
            }
            throw in.problem(expected(text));
        }
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
            return Rfc3339.ofEpochSecond(seconds);
        } catch (DateTimeException outOfRange) {
            throw new FieldProblem("", expected(written(seconds)));
        }
    }

    private static String expected(String got) {
        return "expected a time as RFC 3339 has it, got " + Excerpt.quoted(got);
    }

    /** As far as it can be. */
    private static String written(long seconds) {
        return seconds < Instant.MIN.getEpochSecond() || seconds > Instant.MAX.getEpochSecond()
                ? seconds + " seconds after 1970"
                : Instant.ofEpochSecond(seconds).toString();
    }

    @Override
    public void write(String value, Encoder out) {
        out.time(value);
    }

    @Override
    public String typeName() {
        return "Time";
    }
}
