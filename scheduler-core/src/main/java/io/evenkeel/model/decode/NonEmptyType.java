package io.evenkeel.model.decode;

import io.evenkeel.model.decode.cursor.JsonCursor;
import io.evenkeel.model.decode.cursor.ProtobufCursor;
import org.jspecify.annotations.Nullable;

/** A string that counts as absent where it is empty: protobuf writes absent ones so. */
record NonEmptyType(FieldType<String> text) implements FieldType<String> {
    @Override
    public @Nullable String json(JsonCursor in) {
        return orNull(text.json(in));
    }

    @Override
    public @Nullable Object protobuf(ProtobufCursor in, ProtobufDecoder decoder, @Nullable Object before) {
        return orNull((String) text.protobuf(in, decoder, null));
    }

    private static @Nullable String orNull(@Nullable String value) {
        return value == null || value.isEmpty() ? null : value;
    }

    @Override
    public String typeName() {
        return text.typeName();
    }
}
