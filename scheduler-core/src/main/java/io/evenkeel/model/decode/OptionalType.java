package io.evenkeel.model.decode;

import io.evenkeel.model.decode.cursor.JsonCursor;
import io.evenkeel.model.decode.cursor.Projection;
import io.evenkeel.model.decode.cursor.ProtobufCursor;
import io.evenkeel.model.encode.Encoder;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A field of which it matters whether it is there. */
record OptionalType<V>(FieldType<V> type) implements FieldType<Optional<V>> {
    @Override
    public Optional<V> json(JsonCursor in) {
        return Optional.ofNullable(type.json(in));
    }

    @Override
    @SuppressWarnings("unchecked") // a type that is not gathered answers its value
    public Object protobuf(ProtobufCursor in, ProtobufDecoder decoder, @Nullable Object before) {
        return Optional.ofNullable((V) type.protobuf(in, decoder, null));
    }

    @Override
    public boolean isCopied() {
        return type.isCopied();
    }

    @Override
    public void project(ProtobufCursor in, Projection projection) {
        type.project(in, projection);
    }

    @Override
    public void write(Optional<V> value, Encoder out) {
        type.write(value.orElseThrow(), out);
    }

    @Override
    public Optional<Message<?>> message() {
        return type.message();
    }

    @Override
    public Set<String> constants() {
        return type.constants();
    }

    @Override
    public String typeName() {
        return type.typeName();
    }
}
