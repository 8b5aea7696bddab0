package io.evenkeel.model.decode;

import io.evenkeel.model.decode.cursor.JsonCursor;
import io.evenkeel.model.decode.cursor.ProtobufCursor;
import io.evenkeel.model.decode.cursor.SharedValues;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A value that is read in one step. */
record ScalarType<V>(
        String typeName, Function<JsonCursor, V> fromJson, BiFunction<ProtobufCursor, SharedValues, V> fromProtobuf)
        implements FieldType<V> {

    /** A string of a kind that repeats. */
    static final ScalarType<String> STRING =
            new ScalarType<>("string", JsonCursor::sharedString, ProtobufCursor::string);

    /** A string that hardly occurs twice. */
    static final ScalarType<String> UNIQUE_STRING =
            new ScalarType<>("string", JsonCursor::string, (in, _) -> in.string());

    static final ScalarType<Boolean> BOOL = new ScalarType<>("bool", JsonCursor::bool, (in, _) -> in.bool());
    static final ScalarType<Integer> INT32 = new ScalarType<>("int32", JsonCursor::integer, (in, _) -> in.int32());
    static final ScalarType<Long> INT64 = new ScalarType<>("int64", JsonCursor::longInteger, (in, _) -> in.int64());

    @Override
    public V json(JsonCursor in) {
        return fromJson.apply(in);
    }

    @Override
    public V protobuf(ProtobufCursor in, ProtobufDecoder decoder, @Nullable Object before) {
        return fromProtobuf.apply(in, decoder.shared());
    }
}
