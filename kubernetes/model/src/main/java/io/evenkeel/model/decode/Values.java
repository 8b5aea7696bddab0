package io.evenkeel.model.decode;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The values that have been read of one message's fields.
 *
 * @since 0.1
 */
public final class Values {
    private final @Nullable Object[] slots;

    Values(int fields) {
        slots = new @Nullable Object[fields];
    }

    /**
     * The field's value, or what its absence stands for.
     *
     * @throws io.evenkeel.model.decode.cursor.FieldProblem if it is absent and must not be
     */
    @SuppressWarnings("unchecked") // only the field's type puts values into its slot
    public <V> V get(Field<V> field) {
        Object value = slots[field.index()];
        return value == null ? field.absent() : (V) value;
    }

    /** Puts a value that has been read already. */
    public <V> void put(Field<V> field, V value) {
        slots[field.index()] = value;
    }

    @Nullable
    Object at(int index) {
        return slots[index];
    }

    void set(int index, @Nullable Object value) {
        slots[index] = value;
    }

    void clear() {
        Arrays.fill(slots, null);
    }
}
