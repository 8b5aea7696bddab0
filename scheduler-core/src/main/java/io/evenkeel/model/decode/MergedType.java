package io.evenkeel.model.decode;

import io.evenkeel.model.decode.cursor.JsonCursor;
import io.evenkeel.model.decode.cursor.ProtobufCursor;
import io.evenkeel.model.encode.Encoder;
import java.util.List;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A list of which only what its elements come to together is kept; no list is made on the way.
 *
 * @param apart makes elements of that, each of which is one of the list
 */
record MergedType<T>(Message<T> element, T none, BinaryOperator<T> and, Function<T, List<T>> apart)
        implements FieldType<T> {
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
    public void write(T value, Encoder out) {
        out.beginList();
        for (T one : apart.apply(value)) {
            TableWriter.write(element, one, out);
        }
        out.endList();
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
