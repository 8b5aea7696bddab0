package io.evenkeel.model;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** Reads what occurs in many messages. Strings and amounts that repeat are shared, as those read from JSON are. */
final class WireValues {
    private final SharedValues shared = new SharedValues();

    String string(WireCursor in) {
        return in.string(shared);
    }

    /** The constant that the string stands for. */
    <E> E oneOf(Map<String, E> constants, WireCursor in, String field) {
        String text = in.string(shared);
        E constant = constants.get(text);
        if (constant == null) {
            throw new FieldProblem(field, "unknown value \"" + text + "\"");
        }
        return constant;
    }

    /** One entry of a map from resource name to amount: {@code {1: name, 2: {1: amount}}}. */
    void addResource(WireCursor field, Map<String, Quantity> amounts) {
        String name = "";
        Quantity amount = Quantity.ZERO;
        WireCursor in = field.message();
        while (in.next()) {
            switch (in.field()) {
                case 1 -> name = in.string(shared);
                case 2 -> amount = quantity(in.message());
                default -> {}
            }
        }
        amounts.put(name, amount);
    }

    private Quantity quantity(WireCursor in) {
        String text = "";
        while (in.next()) {
            if (in.field() == 1) {
                text = in.string(shared);
            }
        }
        try {
            return shared.quantity(text);
        } catch (IllegalArgumentException notAQuantity) {
            throw new FieldProblem("", "\"" + text + "\" is not a quantity");
        }
    }

    /** The {@code requests}, field 2, of a {@code resources}. */
    Map<String, Quantity> requests(WireCursor in) {
        Map<String, Quantity> requests = new TreeMap<>();
        while (in.next()) {
            if (in.field() == 2) {
                addResource(in, requests);
            }
        }
        return ResourceList.copyOf(requests);
    }

    /** The {@code limits}, field 1, and {@code requests}, field 2, of a {@code resources}. */
    Resources resources(WireCursor in) {
        Map<String, Quantity> limits = new TreeMap<>();
        Map<String, Quantity> requests = new TreeMap<>();
        while (in.next()) {
            switch (in.field()) {
                case 1 -> addResource(in, limits);
                case 2 -> addResource(in, requests);
                default -> {}
            }
        }
        return new Resources(
                shared.resources(ResourceList.copyOf(requests)), shared.resources(ResourceList.copyOf(limits)));
    }

    /** All of a message's fields of this number, as entries of a map of strings. */
    Labels labels(WireCursor in, int number) {
        Map<String, String> labels = new TreeMap<>();
        while (in.next()) {
            if (in.field() == number) {
                addLabel(in, labels);
            }
        }
        return Labels.of(labels);
    }

    void addLabel(WireCursor field, Map<String, String> labels) {
        String key = "";
        String value = "";
        WireCursor in = field.message();
        while (in.next()) {
            switch (in.field()) {
                case 1 -> key = in.string(shared);
                case 2 -> value = in.string(shared);
                default -> {}
            }
        }
        labels.put(key, value);
    }

    /** A time, as JSON writes it; empty for none. */
    String time(WireCursor in) {
        long seconds = 0;
        boolean any = false;
        while (in.next()) {
            any = true;
            if (in.field() == 1) {
                seconds = in.int64();
            }
        }
        try {
            return any ? Instant.ofEpochSecond(seconds).toString() : "";
        } catch (DateTimeException outOfRange) {
            throw new FieldProblem("", seconds + " is no time");
        }
    }

    /** All of a message's fields of this number. */
    static <T> List<T> list(WireCursor in, int number, Function<WireCursor, T> element) {
        List<T> elements = new ArrayList<>();
        while (in.next()) {
            if (in.field() == number) {
                elements.add(element.apply(in));
            }
        }
        return List.copyOf(elements);
    }

    static FieldProblem missing(String field) {
        return new FieldProblem(field, "missing");
    }
}
