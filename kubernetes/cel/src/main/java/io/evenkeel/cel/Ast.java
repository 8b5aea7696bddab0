package io.evenkeel.cel;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A parsed expression; {@code at} is the offset in its text. */
sealed interface Ast {
    int at();

    record Constant(int at, Object value) implements Ast {}

    record Name(int at, String name) implements Ast {}

    record Select(int at, Ast operand, String field, boolean optional) implements Ast {}

    record Has(int at, Select select) implements Ast {}

    /** A function's call; operators are functions with names such as {@code _+_}. */
    record Call(int at, String function, @Nullable Ast target, List<Ast> arguments) implements Ast {}

    /** {@code a && b && …} or {@code a || b || …}. */
    record Logic(int at, boolean all, List<Ast> terms) implements Ast {}

    record Choice(int at, Ast condition, Ast yes, Ast no) implements Ast {}

    record Element(Ast value, boolean optional) {}

    record Elements(int at, List<Element> elements) implements Ast {}

    record Entry(Ast key, Ast value, boolean optional) {}

    record Entries(int at, List<Entry> entries) implements Ast {}

    record Message(int at, String type, List<Entry> fields) implements Ast {}

    enum FoldKind {
        ALL,
        EXISTS,
        EXISTS_ONE,
        LIST,
        MAP,
        MAP_ENTRY
    }

    /** A comprehension: what it makes of the elements that its filter lets through. */
    record Fold(
            int at,
            FoldKind kind,
            Ast range,
            String first,
            @Nullable String second,
            @Nullable Ast filter,
            @Nullable Ast body)
            implements Ast {}

    record Bind(int at, String name, Ast value, Ast body) implements Ast {}

    /** {@code optMap}, or {@code optFlatMap} where {@code flat}. */
    record OptionalMap(int at, Ast target, String name, Ast body, boolean flat) implements Ast {}

    record SortBy(int at, Ast target, String name, Ast key) implements Ast {}
}
