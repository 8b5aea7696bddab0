package io.evenkeel.tools.why;

import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.model.value.Quantity;
import java.math.BigInteger;

/** Numbers that are supposed, within what can be. */
final class Amounts {
    private static final BigInteger MOST = BigInteger.valueOf(Integer.MAX_VALUE);

    private Amounts() {}

    /** A field of a spread constraint. */
    static int count(String field, String text) {
        BigInteger number = new BigInteger(text);
        if (number.signum() <= 0 || number.compareTo(MOST) > 0) {
            throw new SuppositionException(field + " must be from 1 to " + MOST + ", got " + Excerpt.of(text));
        }
        return number.intValueExact();
    }

    /** More or less of a resource. */
    static Quantity change(String which, String text, String resource) {
        Quantity change;
        try {
            change = Quantity.parse(text);
        } catch (IllegalArgumentException noQuantity) {
            throw new SuppositionException(Excerpt.quoted(text) + " is no quantity of " + Excerpt.of(resource));
        }
        if (change.compareTo(Quantity.ZERO) <= 0) {
            throw new SuppositionException(
                    which + " " + Excerpt.of(resource) + " must be more than 0, got " + Excerpt.of(text));
        }
        return change;
    }
}
