package io.evenkeel.model.decode;

import io.evenkeel.model.decode.cursor.JsonCursor;
import io.evenkeel.model.decode.cursor.ProtobufCursor;
import java.util.Optional;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/** A list of which only what its elements come to together is kept; no list is made on the way. */
record MergedType<T>(Message<T> element, T none, BinaryOperator<T> and) implements FieldType<T> {
    @Override
    public T json(JsonCursor in) {
        T all = none;
        in.enterList();
        while (in.nextElement()) {
            all = and.apply(all, JsonDecoder.read(element, in));
        }
        return all;
    }

    @Override
    @SuppressWarnings("unchecked") // it is what this has answered
    public T protobuf(ProtobufCursor in, ProtobufDecoder decoder, @Nullable Object before) {
        T all = before == null ? none : (T) before;
        return element.isPassedOver(in) ? all : and.apply(all, decoder.read(element, in));
    }

    @Override
    public boolean isList() {
        return true;
    }

    @Override
    public Optional<Message<?>> message() {
        return Optional.of(element);
    }

    @Override
    public String typeName() {
        return "repeated message";
    }
}
