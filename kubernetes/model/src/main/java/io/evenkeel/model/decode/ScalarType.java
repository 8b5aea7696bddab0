package io.evenkeel.model.decode;

import io.evenkeel.model.decode.cursor.JsonCursor;
import io.evenkeel.model.decode.cursor.ProtobufCursor;
import io.evenkeel.model.decode.cursor.SharedValues;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A value that is read in one step.
 *
 * @param fromJson null for one that counts as absent, as is that of the next
 */
record ScalarType<V>(
        String typeName,
        Function<JsonCursor, @Nullable V> fromJson,
        BiFunction<ProtobufCursor, SharedValues, @Nullable V> fromProtobuf,
        BiConsumer<Encoder, V> to)
        implements FieldType<V> {

    /** A string of a kind that repeats. */
    static final ScalarType<String> STRING =
            new ScalarType<>("string", JsonCursor::sharedString, ProtobufCursor::string, Encoder::string);

    /** A string that counts as absent where it is empty: protobuf writes absent ones so. */
    static final ScalarType<String> NON_EMPTY_STRING = new ScalarType<>(
            "string", in -> nonEmpty(in.sharedString()), (in, shared) -> nonEmpty(in.string(shared)), Encoder::string);

    /** A string that hardly occurs twice. */
    static final ScalarType<String> UNIQUE_STRING =
            new ScalarType<>("string", JsonCursor::string, (in, _) -> in.string(), Encoder::string);

    static final ScalarType<Boolean> BOOL =
            new ScalarType<>("bool", JsonCursor::bool, (in, _) -> in.bool(), Encoder::bool);
    static final ScalarType<Integer> INT32 =
            new ScalarType<>("int32", JsonCursor::integer, (in, _) -> in.int32(), (out, value) -> out.integer(value));
    static final ScalarType<Long> INT64 =
            new ScalarType<>("int64", JsonCursor::longInteger, (in, _) -> in.int64(), Encoder::integer);

    private static @Nullable String nonEmpty(String text) {
        return text.isEmpty() ? null : text;
    }

    @Override
    public @Nullable V json(JsonCursor in) {
        return fromJson.apply(in);
    }

    @Override
    public @Nullable V protobuf(ProtobufCursor in, ProtobufDecoder decoder, @Nullable Object before) {
        return fromProtobuf.apply(in, decoder.shared());
    }

    @Override
    public void write(V value, Encoder out) {
        to.accept(out, value);
    }
}
