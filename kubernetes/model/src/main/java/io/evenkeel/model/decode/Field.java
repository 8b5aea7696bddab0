package io.evenkeel.model.decode;

import io.evenkeel.model.decode.cursor.FieldProblem;
import io.evenkeel.model.decode.cursor.Projection;
import io.evenkeel.model.decode.cursor.ProtobufCursor;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A row of a message's table: a field that is read, by its name in JSON and its number in protobuf.
 *
 * @param <V> what is read of it
 * @since 0.1
 */
public final class Field<V> {
    private final String name;
    private final int number;
    private final int index;
    private final FieldType<V> type;
    private final @Nullable V absent;
    private final boolean copied;
    private boolean apart;
    private @Nullable Function<Object, ? extends V> found;

    Field(String name, int number, int index, FieldType<V> type, @Nullable V absent) {
        this.name = name;
        this.number = number;
        this.index = index;
        this.type = type;
        this.absent = absent;
        this.copied = type.isCopied();
    }

    /**
     * Says that the field differs from object to object where the rest of its message is alike, so that it is not to
     * hinder that the rest is recognised by its bytes; for messages {@link Message#inParts}.
     */
    public Field<V> apart() {
        apart = true;
        return this;
    }

    /**
     * Says where the value is found in what is made of its message, so that it can be written too. What is found need
     * not be what was read, but must read as what was made.
     */
    @SuppressWarnings("unchecked") // it is asked of what the field's own table has made, or could have
    public <T> Field<V> from(Function<T, ? extends V> where) {
        found = (Function<Object, ? extends V>) where;
        return this;
    }

    public String name() {
        return name;
    }

    public int number() {
        return number;
    }

    /** Whether there is nothing that its absence stands for. */
    public boolean isRequired() {
        return absent == null;
    }

    /** The table of the message that it is, or that its elements are. */
    public Optional<Message<?>> message() {
        return type.message();
    }

    /** The values that it can have, where they are counted. */
    public Set<String> constants() {
        return type.constants();
    }

    /** Its type as an API's protobuf definition writes it, such as {@code repeated string}; messages have no name here. */
    public String typeName() {
        return type.typeName();
    }

    boolean isFound() {
        return found != null;
    }

    /** The value in what is made of its message. */
    V find(Object whole) {
        if (found == null) {
            throw new IllegalStateException("the row " + this + " does not say where its value is found");
        }
        return found.apply(whole);
    }

    boolean isLikeAbsent(V value) {
        return value.equals(absent);
    }

    boolean isApart() {
        return apart;
    }

    /** Adds to the projection what is read of it; mostly all, which is asked first because it costs no virtual call. */
    void project(ProtobufCursor in, Projection projection) {
        if (copied) {
            in.copyTo(projection);
        } else {
            type.project(in, projection);
        }
    }

    int index() {
        return index;
    }

    FieldType<V> type() {
        return type;
    }

    /** Returns the value that absence stands for. */
    V absent() {
        if (absent == null) {
            throw new FieldProblem(name, "missing");
        }
        return absent;
    }

    @Override
    public String toString() {
        return name + "=" + number;
    }
}
