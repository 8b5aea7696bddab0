package io.evenkeel.model.decode;

import io.evenkeel.model.decode.cursor.JsonCursor;
import io.evenkeel.model.decode.cursor.Projection;
import io.evenkeel.model.decode.cursor.ProtobufCursor;
import org.jspecify.annotations.Nullable;

/** A message of which nothing is read but that it is there. */
enum GivenType implements FieldType<Boolean> {
    GIVEN;

    @Override
    public Boolean json(JsonCursor in) {
        in.skip();
        return true;
    }

    @Override
    public Boolean protobuf(ProtobufCursor in, ProtobufDecoder decoder, @Nullable Object before) {
        in.isEmpty();
        return true;
    }

    @Override
    public boolean isCopied() {
        return false;
    }

    @Override
    public void project(ProtobufCursor in, Projection projection) {
        projection.addEmpty(in.field());
    }

    @Override
    public String typeName() {
        return "message";
    }
}
