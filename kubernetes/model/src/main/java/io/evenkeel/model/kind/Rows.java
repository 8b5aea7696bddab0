package io.evenkeel.model.kind;

import io.evenkeel.model.decode.Field;
import io.evenkeel.model.decode.Fields;
import io.evenkeel.model.decode.Message;
import java.util.Optional;
import java.util.function.Function;

/** Rows and tables in forms that come again and again. */
final class Rows {
    private Rows() {}

    /** A message that is no more than its one field. */
    static <T> Message<T> only(Function<Fields, Field<T>> row) {
        return Message.of(fields -> {
            Field<T> field = row.apply(fields).from((T value) -> value);
            return read -> read.get(field);
        });
    }

    /** Finds a value where its message has come to something. */
    static <T, V> Function<Optional<T>, V> ofPresent(Function<T, V> where, V absent) {
        return made -> made.map(where).orElse(absent);
    }
}
