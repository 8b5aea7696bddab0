package io.evenkeel.model.decode;

import io.evenkeel.model.decode.cursor.JsonCursor;
import io.evenkeel.model.decode.cursor.Projection;
import io.evenkeel.model.decode.cursor.ProtobufCursor;
import io.evenkeel.model.encode.Encoder;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Elements of a list of which those count that come to something. */
record PresentType<T>(MessageType<Optional<T>> element) implements FieldType<T> {
    @Override
    public @Nullable T json(JsonCursor in) {
        return orNull(element.json(in));
    }

    @Override
    public @Nullable T protobuf(ProtobufCursor in, ProtobufDecoder decoder, @Nullable Object before) {
        return orNull(element.protobuf(in, decoder, null));
    }

    private static <T> @Nullable T orNull(Optional<T> value) {
        return value.isPresent() ? value.get() : null;
    }

    @Override
    public boolean isCopied() {
        return element.isCopied();
    }

    @Override
    public void project(ProtobufCursor in, Projection projection) {
        element.project(in, projection);
    }

    @Override
    public void write(T value, Encoder out) {
        element.write(Optional.of(value), out);
    }

    @Override
    public Optional<Message<?>> message() {
        return element.message();
    }

    @Override
    public String typeName() {
        return element.typeName();
    }
}
