package io.evenkeel.model.decode;

import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.model.decode.cursor.FieldProblem;
import io.evenkeel.model.decode.cursor.JsonCursor;
import io.evenkeel.model.decode.cursor.ProtobufCursor;
import io.evenkeel.model.encode.Encoder;
import io.evenkeel.model.value.Quantity;
import org.jspecify.annotations.Nullable;

/** An amount: a string or a number in JSON, {@code {1: string}} in protobuf. */
enum QuantityType implements FieldType<Quantity> {
    QUANTITY;

    @Override
    public Quantity json(JsonCursor in) {
        return in.quantity();
    }

    @Override
    public Quantity protobuf(ProtobufCursor field, ProtobufDecoder decoder, @Nullable Object before) {
        String text = "";
        ProtobufCursor in = field.message();
        while (in.next()) {
            if (in.field() == 1) {
                text = in.string(decoder.shared());
            }
        }
        try {
            return decoder.shared().quantity(text);
        } catch (IllegalArgumentException notAQuantity) {
            throw new FieldProblem("", Excerpt.quoted(text) + " is not a quantity");
        }
    }

    @Override
    public void write(Quantity value, Encoder out) {
        out.quantity(value.toString());
    }

    @Override
    public String typeName() {
        return "Quantity";
    }
}
