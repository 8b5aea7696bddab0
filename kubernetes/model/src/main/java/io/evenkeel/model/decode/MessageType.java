package io.evenkeel.model.decode;

import io.evenkeel.model.decode.cursor.JsonCursor;
import io.evenkeel.model.decode.cursor.Projection;
import io.evenkeel.model.decode.cursor.ProtobufCursor;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
            projectRead(in, projection);
        } else {
            in.copyTo(projection);
        }
    }

    private void projectRead(ProtobufCursor field, Projection projection) {
        int before = projection.length();
        int begun = projection.begin(field.field());
        boolean anyInlined = projectFields(table.rows(), field.message(), projection);
        if (table.isNothingWithoutInlined() && !anyInlined) {
            projection.cutTo(before);
        } else {
            projection.end(begun);
        }
    }

    /** Adds the fields that have a row; answers whether any of an inlined message were among them. */
    private boolean projectFields(Rows rows, ProtobufCursor in, Projection projection) {
        boolean anyInlined = false;
        while (in.next()) {
            Field<?> field = rows.numbered(in.field());
            if (field != null) {
                field.project(in, projection);
            } else if (in.field() == rows.inlinedNumber()) {
                int begun = projection.begin(in.field());
                projectFields(table.inlined(), in.message(), projection);
                anyInlined |= projection.length() > begun;
                projection.end(begun);
            }
        }
        return anyInlined;
    }

    @Override
    public void write(T value, Encoder out) {
        TableWriter.write(table, value, out);
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
