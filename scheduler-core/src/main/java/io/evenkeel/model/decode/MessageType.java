package io.evenkeel.model.decode;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A message within a message. */
record MessageType<T>(Message<T> table) implements FieldType<T> {
    @Override
    public T json(JsonCursor in) {
        return JsonDecoder.read(table, in);
    }

    @Override
    public T protobuf(ProtobufCursor in, ProtobufDecoder decoder, @Nullable Object before) {
        return decoder.read(table, in);
    }

    @Override
    public boolean isCopied() {
        return !table.isMostlyUnread();
    }

    @Override
    public void project(ProtobufCursor in, Projection projection) {
        if (table.isMostlyUnread()) {
            projection.addMessage(in, table);
        } else {
            in.copyTo(projection);
        }
    }

    @Override
    public Optional<Message<?>> message() {
        return Optional.of(table);
    }

    @Override
    public String typeName() {
        return "message";
    }
}
