package io.evenkeel.model.decode;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A message's fields by their numbers: a look-up is an access to an array. */
final class Rows {
    private final @Nullable Field<?>[] byNumber;
    private final int inlinedNumber;

    /**
     * The rows of these fields.
     *
     * @param inlinedNumber the number of the message that JSON has inlined in this one; 0 for none
     */
    Rows(List<Field<?>> fields, int inlinedNumber) {
        this.inlinedNumber = inlinedNumber;
        int end = fields.stream().mapToInt(Field::number).max().orElse(0) + 1;
        byNumber = new Field<?>[end];
        for (Field<?> field : fields) {
            if (byNumber[field.number()] != null || field.number() == inlinedNumber) {
                throw new IllegalArgumentException("two fields of the number of " + field);
            }
            byNumber[field.number()] = field;
        }
    }

    @Nullable
    Field<?> numbered(int number) {
        return number < byNumber.length ? byNumber[number] : null;
    }

    int inlinedNumber() {
        return inlinedNumber;
    }

    @Override
    public String toString() {
        return Arrays.toString(byNumber);
    }
}
