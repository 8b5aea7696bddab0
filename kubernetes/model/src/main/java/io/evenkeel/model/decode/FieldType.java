package io.evenkeel.model.decode;

import io.evenkeel.model.decode.cursor.JsonCursor;
import io.evenkeel.model.decode.cursor.Projection;
import io.evenkeel.model.decode.cursor.ProtobufCursor;
import io.evenkeel.model.decode.cursor.SharedValues;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a field is read in either encoding.
 *
 * <p>JSON has a field's whole value in one place. In protobuf, a repeated field comes an element at a time: such a type
 * takes what it has gathered so far and answers what it has then, and says at the message's end what came of it.
 */
interface FieldType<V> {
    /** The value that the cursor stands on; null for one that counts as absent. */
    @Nullable
    V json(JsonCursor in);

    /**
     * The value that the cursor stands on; null for one that counts as absent.
     *
     * @param before what this answered for the field where it stood before in the message
     */
    @Nullable
    Object protobuf(ProtobufCursor in, ProtobufDecoder decoder, @Nullable Object before);

    /** Makes the value of a repeated field from its elements. */
    default V finish(Object gathered, SharedValues shared) {
        throw new IllegalStateException(typeName() + " is complete as it comes");
    }

    /** Whether {@link #protobuf} answers what is to be finished yet. */
    default boolean isGathered() {
        return false;
    }

    /** Whether the places of its elements belong into a path. */
    default boolean isList() {
        return false;
    }

    /** Whether all of the field is worth copying into a projection. */
    default boolean isCopied() {
        return true;
    }

    /** Adds to the projection what is read of the field, where that is not all. */
    default void project(ProtobufCursor in, Projection projection) {
        in.copyTo(projection);
    }

    /** Writes a value that this has read, or could have. */
    void write(V value, Encoder out);

    default Optional<Message<?>> message() {
        return Optional.empty();
    }

    default Set<String> constants() {
        return Set.of();
    }

    String typeName();

    /** A type that reads what another reads, and makes something else of it. */
    interface OfAnother<V> extends FieldType<V> {
        FieldType<?> element();

        @Override
        default boolean isCopied() {
            return element().isCopied();
        }

        @Override
        default void project(ProtobufCursor in, Projection projection) {
            element().project(in, projection);
        }

        @Override
        default Optional<Message<?>> message() {
            return element().message();
        }

        @Override
        default Set<String> constants() {
            return element().constants();
        }

        @Override
        default String typeName() {
            return element().typeName();
        }
    }
}
