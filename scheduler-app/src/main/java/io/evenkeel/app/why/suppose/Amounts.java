package io.evenkeel.app.why.suppose;

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
            throw new SuppositionException(field + " must be from 1 to " + MOST + ", got " + text);
        }
        return number.intValueExact();
    }

    /** More of a resource. */
    static Quantity more(String text, String resource) {
        Quantity more;
        try {
            more = Quantity.parse(text);
        } catch (IllegalArgumentException noQuantity) {
            throw new SuppositionException("\"" + text + "\" is no quantity of " + resource);
        }
        if (more.compareTo(Quantity.ZERO) <= 0) {
            throw new SuppositionException("more " + resource + " must be more than 0, got " + text);
        }
        return more;
    }
}
