package io.evenkeel.cel;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** One form of a function: the types of its arguments (a member's target is the first), what it costs, what it does. */
record Function(
        String name,
        boolean member,
        List<CelType> parameters,
        CelType result,
        @Nullable Price price,
        Body body) {
    /** The price of a call by its first two arguments; a body charges for its result itself. */
    interface Price {
        long of(Object a, Object b);
    }

    /** The work of a call; there are at most four arguments, and an absent one is a null value. */
    interface Body {
        Object call(Frame frame, Object a, Object b, Object c, Object d);
    }

    boolean holds(int count, Object a, Object b, Object c, Object d) {
        return (count < 1 || parameters.get(0).holds(a))
                && (count < 2 || parameters.get(1).holds(b))
                && (count < 3 || parameters.get(2).holds(c))
                && (count < 4 || parameters.get(3).holds(d));
    }

    Object call(Frame frame, Object a, Object b, Object c, Object d) {
        reading(frame, a);
        reading(frame, b);
        if (price != null) {
            frame.pay(price.of(a, b));
        }
        return body.call(frame, a, b, c, d);
    }

    /** Even the size of a text may be counted letter by letter. */
    private static void reading(Frame frame, Object value) {
        if (value instanceof String text) {
            frame.work(text.length() >> 7);
        }
    }
}
