package io.evenkeel.model.decode;

import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.model.decode.cursor.FieldProblem;
import io.evenkeel.model.decode.cursor.JsonCursor;
import io.evenkeel.model.decode.cursor.ProtobufCursor;
import io.evenkeel.model.encode.Encoder;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A string that is one of a few, and absent where it is empty. */
record ConstantType<E>(Map<String, E> byName) implements FieldType<E> {
    @Override
    public @Nullable E json(JsonCursor in) {
        return in.isEmptyString() ? null : in.oneOf(byName);
    }

    @Override
    public @Nullable E protobuf(ProtobufCursor in, ProtobufDecoder decoder, @Nullable Object before) {
        if (in.isEmpty()) {
            return null;
        }
        String text = in.string(decoder.shared());
        E constant = byName.get(text);
        if (constant == null) {
            throw new FieldProblem("", FieldProblem.expectedOneOf(byName.keySet()) + ", got " + Excerpt.quoted(text));
        }
        return constant;
    }

    @Override
    public void write(E value, Encoder out) {
        for (Map.Entry<String, E> constant : byName.entrySet()) {
            if (constant.getValue().equals(value)) {
                out.string(constant.getKey());
                return;
            }
        }
        throw new IllegalArgumentException(value + " has none of the names " + byName.keySet());
    }

    @Override
    public Set<String> constants() {
        return byName.keySet();
    }

    @Override
    public String typeName() {
        return "string";
    }
}
