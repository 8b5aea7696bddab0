package io.evenkeel.model.decode;

import java.util.List;
import java.util.Optional;

/** Writes messages by their tables, in either encoding: each row says where its value is found. */
public final class TableWriter {
    private TableWriter() {}

    /** Writes the fields of the message, but none with the value that its absence stands for. */
    public static <T> void writeFields(Message<T> message, T value, Encoder out) {
        writeFields(message.ownFields(), value, out);
        if (message.inlinedNumber() > 0) {
            out.beginInlined(message.inlinedNumber());
            writeFields(message.inlinedFields(), value, out);
            out.endInlined();
        }
    }

    /** A row, of this table or of one within, that does not say where its value is found; empty where all do. */
    public static Optional<Field<?>> unwritable(Message<?> message) {
        for (Field<?> field : message.fields()) {
            Optional<Field<?>> unknown =
                    field.isFound() ? field.message().flatMap(TableWriter::unwritable) : Optional.of(field);
            if (unknown.isPresent()) {
                return unknown;
            }
        }
        return Optional.empty();
    }

    private static void writeFields(List<Field<?>> fields, Object value, Encoder out) {
        for (Field<?> field : fields) {
            write(field, value, out);
        }
    }

    private static <V> void write(Field<V> field, Object whole, Encoder out) {
        V value = field.find(whole);
        if (!field.isLikeAbsent(value)) {
            out.field(field.name(), field.number());
            field.type().write(value, out);
        }
    }

    static <T> void write(Message<T> message, T value, Encoder out) {
        out.beginMessage();
        writeFields(message, value, out);
        out.endMessage();
    }
}
