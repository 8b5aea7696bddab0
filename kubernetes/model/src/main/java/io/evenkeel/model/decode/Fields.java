package io.evenkeel.model.decode;

import io.evenkeel.model.decode.Message.Rows;
import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.model.decode.cursor.FieldProblem;
import io.evenkeel.model.decode.cursor.JsonCursor;
import io.evenkeel.model.decode.cursor.Projection;
import io.evenkeel.model.decode.cursor.ProtobufCursor;
import io.evenkeel.model.decode.cursor.SharedValues;
import io.evenkeel.model.value.IntOrPercent;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.value.Quantity;
import io.evenkeel.model.value.ResourceList;
import io.evenkeel.model.value.ValueSet;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a table while it is made: each call declares one, by its name in JSON, its number in protobuf and what its
 * absence stands for. A string or constant that is empty is absent.
 *
 * @since 0.1
 */
public final class Fields {
    private static final FieldType<Labels> LABELS =
            new MapType<>(ScalarType.STRING, "", (labels, _) -> Labels.of(labels), Labels::asMap);
    private static final FieldType<Map<String, String>> STRING_MAP = new MapType<>(
            ScalarType.STRING, "", (entries, _) -> Collections.unmodifiableMap(entries), entries -> entries);
    private static final FieldType<Set<String>> TIMED_NAMES =
            new MapType<>(TimeType.TIME, "", (times, _) -> Set.copyOf(times.keySet()), Fields::timed);
    private static final FieldType<Map<String, Quantity>> RESOURCES = new MapType<>(
            QuantityType.QUANTITY,
            Quantity.ZERO,
            (amounts, shared) -> shared.resources(ResourceList.copyOf(amounts)),
            amounts -> amounts);
    private static final FieldType<List<String>> STRINGS = new ListType<>(ScalarType.STRING);
    private static final FieldType<List<String>> VALUES =
            new ListType<>(ScalarType.STRING, (values, shared) -> shared.values(ValueSet.compact(values)));

    private final List<Field<?>> all = new ArrayList<>();
    private final List<Field<?>> own = new ArrayList<>();
    private final List<Field<?>> inlinedFields = new ArrayList<>();
    private int inlinedNumber;
    private boolean inlining;
    private Discriminator discriminator = Discriminator.NONE;

    Fields() {}

    /** A string of a kind that repeats; empty where absent. */
    public Field<String> string(String name, int number) {
        return add(name, number, ScalarType.STRING, "");
    }

    public Field<String> string(String name, int number, String absent) {
        return add(name, number, ScalarType.NON_EMPTY_STRING, absent);
    }

    public Field<String> requiredString(String name, int number) {
        return add(name, number, ScalarType.NON_EMPTY_STRING, null);
    }

    /** A string that says whether its message counts, as an element of a list: only where it is one of these. */
    public Field<String> keyString(String name, int number, String... counting) {
        discriminator = new Discriminator(number, List.of(counting));
        return string(name, number);
    }

    /** A string that hardly occurs twice; empty where absent. */
    public Field<String> uniqueString(String name, int number) {
        return add(name, number, ScalarType.UNIQUE_STRING, "");
    }

    /** A moment as JSON writes it; empty where absent. */
    public Field<String> time(String name, int number) {
        return add(name, number, TimeType.TIME, "");
    }

    /** The moment in a custom resource; empty, too, where it is none. */
    public Field<String> timeOrNone(String name, int number) {
        return add(name, number, TimeType.TIME_OR_NONE, "");
    }

    public Field<Boolean> bool(String name, int number, boolean absent) {
        return add(name, number, ScalarType.BOOL, absent);
    }

    public Field<Integer> int32(String name, int number, int absent) {
        return add(name, number, ScalarType.INT32, absent);
    }

    public Field<Integer> requiredInt32(String name, int number) {
        return add(name, number, ScalarType.INT32, null);
    }

    public Field<Long> int64(String name, int number, long absent) {
        return add(name, number, ScalarType.INT64, absent);
    }

    /** A constant that is required. */
    public <E> Field<E> constant(String name, int number, Map<String, E> byName) {
        return add(name, number, new ConstantType<>(byName), null);
    }

    public <E> Field<E> constant(String name, int number, Map<String, E> byName, E absent) {
        return add(name, number, new ConstantType<>(byName), absent);
    }

    public <E> Field<Optional<E>> optionalConstant(String name, int number, Map<String, E> byName) {
        return add(name, number, new OptionalType<>(new ConstantType<>(byName)), Optional.empty());
    }

    /** A flag; it matters whether it is given. */
    public Field<Optional<Boolean>> optionalBool(String name, int number) {
        return add(name, number, new OptionalType<>(ScalarType.BOOL), Optional.empty());
    }

    /** A number; it matters whether it is given. */
    public Field<Optional<Long>> optionalInt64(String name, int number) {
        return add(name, number, new OptionalType<>(ScalarType.INT64), Optional.empty());
    }

    /** A string, which may be empty; it matters whether it is given. */
    public Field<Optional<String>> optionalString(String name, int number) {
        return add(name, number, new OptionalType<>(ScalarType.STRING), Optional.empty());
    }

    /** Anything, as the text of its JSON; empty where absent. */
    public Field<String> json(String name, int number) {
        return add(name, number, JsonType.JSON, "");
    }

    public Field<Labels> labels(String name, int number) {
        return add(name, number, LABELS, Labels.EMPTY);
    }

    /** A map, read for the entries with these keys only. */
    public Field<Labels> keptEntries(String name, int number, Set<String> keys) {
        return add(name, number, new KeptEntriesType(keys), Labels.EMPTY);
    }

    public Field<Map<String, String>> stringMap(String name, int number) {
        return add(name, number, STRING_MAP, Map.of());
    }

    /** Names, each with a moment that does not matter. */
    public Field<Set<String>> timedNames(String name, int number) {
        return add(name, number, TIMED_NAMES, Set.of());
    }

    /** An amount; zero where absent. */
    public Field<Quantity> quantity(String name, int number) {
        return add(name, number, QuantityType.QUANTITY, Quantity.ZERO);
    }

    public Field<List<Quantity>> quantities(String name, int number) {
        return add(name, number, new ListType<>(QuantityType.QUANTITY), List.of());
    }

    /** An amount; it matters whether it is given. */
    public Field<Optional<Quantity>> optionalQuantity(String name, int number) {
        return add(name, number, new OptionalType<>(QuantityType.QUANTITY), Optional.empty());
    }

    /** A number or a share; it matters whether it is given. */
    public Field<Optional<IntOrPercent>> optionalIntOrPercent(String name, int number) {
        return add(name, number, new OptionalType<>(IntOrPercentType.INT_OR_PERCENT), Optional.empty());
    }

    /** A number; it matters whether it is given. */
    public Field<Optional<Integer>> optionalInt32(String name, int number) {
        return add(name, number, new OptionalType<>(ScalarType.INT32), Optional.empty());
    }

    /** Amounts by resource name. */
    public Field<Map<String, Quantity>> resources(String name, int number) {
        return add(name, number, RESOURCES, Map.of());
    }

    public Field<List<String>> strings(String name, int number) {
        return add(name, number, STRINGS, List.of());
    }

    /** A set of strings, as of a selector's values: few or very many. */
    public Field<List<String>> values(String name, int number) {
        return add(name, number, VALUES, List.of());
    }

    /** A message that is required. */
    public <T> Field<T> message(String name, int number, Message<T> table) {
        return add(name, number, new MessageType<>(table), null);
    }

    public <T> Field<T> message(String name, int number, Message<T> table, T absent) {
        return add(name, number, new MessageType<>(table), absent);
    }

    public <T> Field<Optional<T>> optional(String name, int number, Message<T> table) {
        return add(name, number, new OptionalType<>(new MessageType<>(table)), Optional.empty());
    }

    public <T> Field<List<T>> list(String name, int number, Message<T> table) {
        return add(name, number, new ListType<>(new MessageType<>(table)), List.of());
    }

    /**
     * Messages by name.
     *
     * @param empty what an entry without a message stands for
     */
    public <T> Field<Map<String, T>> map(String name, int number, Message<T> table, T empty) {
        return add(
                name,
                number,
                new MapType<>(
                        new MessageType<>(table),
                        empty,
                        (entries, _) -> Collections.unmodifiableMap(entries),
                        entries -> entries),
                Map.of());
    }

    /** A list of those elements that come to something. */
    public <T> Field<List<T>> listOfPresent(String name, int number, Message<Optional<T>> table) {
        return add(name, number, new ListType<>(new PresentType<>(new MessageType<>(table))), List.of());
    }

    /** A list, kept only as the one value that its elements come to together. */
    public <T> Field<T> merged(String name, int number, Message<T> table, T none, BinaryOperator<T> and) {
        return merged(name, number, table, none, and, List::of);
    }

    /**
     * As {@link #merged(String, int, Message, Object, BinaryOperator)}.
     *
     * @param apart makes elements, to be written, of what they come to
     */
    public <T> Field<T> merged(
            String name, int number, Message<T> table, T none, BinaryOperator<T> and, Function<T, List<T>> apart) {
        return add(name, number, new MergedType<>(table, none, and, apart), none);
    }

    /** Says that what is declared from here on stands, in protobuf, in a message of this number within this one. */
    public void inlined(int number) {
        if (inlining) {
            throw new IllegalStateException("a message can inline one other");
        }
        inlinedNumber = number;
        inlining = true;
    }

    private static Map<String, String> timed(Set<String> names) {
        return names.stream().collect(Collectors.toMap(name -> name, _ -> Rfc3339.ofEpochSecond(0)));
    }

    private <V> Field<V> add(String name, int number, FieldType<V> type, @Nullable V absent) {
        return add(new Field<>(name, number, all.size(), type, absent));
    }

    <V> Field<V> add(Field<V> field) {
        all.add(field);
        (inlining ? inlinedFields : own).add(field);
        return field;
    }

    List<Field<?>> all() {
        return Collections.unmodifiableList(all);
    }

    Discriminator discriminator() {
        return discriminator;
    }

    List<Field<?>> own() {
        return own;
    }

    List<Field<?>> inlinedFields() {
        return inlinedFields;
    }

    int inlinedNumber() {
        return inlinedNumber;
    }

    /** A string that is one of a few, and absent where it is empty. */
    private record ConstantType<E>(Map<String, E> byName) implements FieldType<E> {
        @Override
        public @Nullable E json(JsonCursor in) {
            return in.isEmptyString() ? null : in.oneOf(byName);
        }

        @Override
        public @Nullable E protobuf(ProtobufCursor in, ProtobufDecoder decoder, @Nullable Object before) {
            if (in.isEmpty()) {
                return null;
            }
            String text = in.string(decoder.shared());
            E constant = byName.get(text);
            if (constant == null) {
                throw new FieldProblem(
                        "", FieldProblem.expectedOneOf(byName.keySet()) + ", got " + Excerpt.quoted(text));
            }
            return constant;
        }

        @Override
        public void write(E value, Encoder out) {
            for (Map.Entry<String, E> constant : byName.entrySet()) {
                if (constant.getValue().equals(value)) {
                    out.string(constant.getKey());
                    return;
                }
            }
            throw new IllegalArgumentException(value + " has none of the names " + byName.keySet());
        }

        @Override
        public Set<String> constants() {
            return byName.keySet();
        }

        @Override
        public String typeName() {
            return "string";
        }
    }

    /**
     * A list, kept only as the one value that its elements come to together; no list is made on the way.
     *
     * @param apart makes elements of that, each of which is one of the list
     */
    private record MergedType<T>(Message<T> element, T none, BinaryOperator<T> and, Function<T, List<T>> apart)
            implements FieldType<T> {
        @Override
        public T json(JsonCursor in) {
            T all = none;
            in.enterList();
            while (in.nextElement()) {
                all = and.apply(all, JsonDecoder.read(element, in));
            }
            return all;
        }

        @Override
        @SuppressWarnings("unchecked") // it is what this has answered
        public T protobuf(ProtobufCursor in, ProtobufDecoder decoder, @Nullable Object before) {
            T all = before == null ? none : (T) before;
            return element.isPassedOver(in) ? all : and.apply(all, decoder.read(element, in));
        }

        @Override
        public boolean isList() {
            return true;
        }

        @Override
        public void write(T value, Encoder out) {
            out.beginList();
            for (T one : apart.apply(value)) {
                TableWriter.write(element, one, out);
            }
            out.endList();
        }

        @Override
        public Optional<Message<?>> message() {
            return Optional.of(element);
        }

        @Override
        public String typeName() {
            return "repeated message";
        }
    }

    /** A field; it matters whether it is there. */
    private record OptionalType<V>(FieldType<V> element) implements FieldType.OfAnother<Optional<V>> {
        @Override
        public Optional<V> json(JsonCursor in) {
            return Optional.ofNullable(element.json(in));
        }

        @Override
        @SuppressWarnings("unchecked") // a type that is not gathered answers its value
        public Object protobuf(ProtobufCursor in, ProtobufDecoder decoder, @Nullable Object before) {
            return Optional.ofNullable((V) element.protobuf(in, decoder, null));
        }

        @Override
        public void write(Optional<V> value, Encoder out) {
            element.write(value.orElseThrow(), out);
        }
    }

    /** A list; elements that come to nothing do not count. */
    private record PresentType<T>(MessageType<Optional<T>> element) implements FieldType.OfAnother<T> {
        @Override
        public @Nullable T json(JsonCursor in) {
            return orNull(element.json(in));
        }

        @Override
        public @Nullable T protobuf(ProtobufCursor in, ProtobufDecoder decoder, @Nullable Object before) {
            return orNull(element.protobuf(in, decoder, null));
        }

        private static <T> @Nullable T orNull(Optional<T> value) {
            return value.isPresent() ? value.get() : null;
        }

        @Override
        public void write(T value, Encoder out) {
            element.write(Optional.of(value), out);
        }
    }

    /** An amount: a string or a number in JSON, {@code {1: string}} in protobuf. */
    private enum QuantityType implements FieldType<Quantity> {
        QUANTITY;

        @Override
        public Quantity json(JsonCursor in) {
            return in.quantity();
        }

        @Override
        public Quantity protobuf(ProtobufCursor field, ProtobufDecoder decoder, @Nullable Object before) {
            String text = "";
            ProtobufCursor in = field.message();
            while (in.next()) {
                if (in.field() == 1) {
                    text = in.string(decoder.shared());
                }
            }
            try {
                return decoder.shared().quantity(text);
            } catch (IllegalArgumentException notAQuantity) {
                throw new FieldProblem("", Excerpt.quoted(text) + " is not a quantity");
            }
        }

        @Override
        public void write(Quantity value, Encoder out) {
            out.quantity(value);
        }

        @Override
        public String typeName() {
            return "Quantity";
        }
    }

    /** A number or a share: either in JSON, in protobuf {@code {1: which, 2: number, 3: text}}. */
    private enum IntOrPercentType implements FieldType<IntOrPercent> {
        INT_OR_PERCENT;

        @Override
        public IntOrPercent json(JsonCursor in) {
            return in.intOrPercent();
        }

        @Override
        public IntOrPercent protobuf(ProtobufCursor field, ProtobufDecoder decoder, @Nullable Object before) {
            boolean isText = false;
            int number = 0;
            String text = "";
            ProtobufCursor in = field.message();
            while (in.next()) {
                switch (in.field()) {
                    case 1 -> isText = in.int64() != 0;
                    case 2 -> number = in.int32();
                    case 3 -> text = in.string(decoder.shared());
                    default -> {}
                }
            }
            try {
                return isText ? IntOrPercent.parse(text) : IntOrPercent.of(number);
            } catch (IllegalArgumentException neither) {
                throw new FieldProblem("", Excerpt.quoted(text) + " is not a percentage such as 25%");
            }
        }

        @Override
        public void write(IntOrPercent value, Encoder out) {
            out.intOrPercent(value);
        }

        @Override
        public String typeName() {
            return "IntOrString";
        }
    }

    /** Anything, as JSON; in protobuf {@code {1: text}}. */
    private enum JsonType implements FieldType<String> {
        JSON;

        @Override
        public String json(JsonCursor in) {
            return in.json();
        }

        @Override
        public String protobuf(ProtobufCursor field, ProtobufDecoder decoder, @Nullable Object before) {
            String text = "";
            ProtobufCursor in = field.message();
            while (in.next()) {
                if (in.field() == 1) {
                    text = in.string();
                }
            }
            return text;
        }

        @Override
        public void write(String value, Encoder out) {
            out.json(value);
        }

        @Override
        public String typeName() {
            return "message";
        }
    }

    /**
     * A map of strings, read for some keys only: annotations are many, and one can hold a whole manifest. In protobuf,
     * where entries are messages, the others are passed over by their bytes.
     */
    private static final class KeptEntriesType implements FieldType<Labels> {
        private static final int KEY = 1;
        private static final int VALUE = 2;

        private final Set<String> keys;
        private final Discriminator kept;

        KeptEntriesType(Set<String> keys) {
            this.keys = Set.copyOf(keys);
            this.kept = new Discriminator(KEY, this.keys);
        }

        @Override
        public Labels json(JsonCursor in) {
            Map<String, String> entries = new TreeMap<>();
            in.enterObject();
            while (in.nextField()) {
                if (keys.contains(in.field())) {
                    String key = in.sharedField();
                    entries.put(key, in.sharedString());
                } else {
                    in.skip();
                }
            }
            return finish(entries, in.shared());
        }

        @Override
        @SuppressWarnings("unchecked") // it is what this has made
        public Object protobuf(ProtobufCursor field, ProtobufDecoder decoder, @Nullable Object before) {
            Map<String, String> entries = before == null ? new TreeMap<>() : (Map<String, String>) before;
            if (!kept.passesOver(field)) {
                String key = "";
                String value = "";
                ProtobufCursor in = field.message();
                while (in.next()) {
                    switch (in.field()) {
                        case KEY -> key = in.string(decoder.shared());
                        case VALUE -> value = in.string(decoder.shared());
                        default -> {}
                    }
                }
                entries.put(key, value);
            }
            return entries;
        }

        @Override
        @SuppressWarnings("unchecked") // it is what this has made
        public Labels finish(Object gathered, SharedValues shared) {
            Map<String, String> entries = (Map<String, String>) gathered;
            return entries.isEmpty() ? Labels.EMPTY : Labels.of(entries);
        }

        @Override
        public boolean isGathered() {
            return true;
        }

        @Override
        public void write(Labels value, Encoder out) {
            MapType.writeStrings(value.asMap(), out);
        }

        @Override
        public String typeName() {
            return "map of string";
        }
    }

    /** A moment as JSON writes it; in protobuf {@code {1: seconds}}, and empty for none. */
    private enum TimeType implements FieldType<String> {
        TIME,
        /** Times of custom resources; their schemas let strings pass that are no times to others: these count as absent. */
        TIME_OR_NONE;

        @Override
        public String json(JsonCursor in) {
            String text = in.string();
            try {
                return Rfc3339.normalized(text);
            } catch (DateTimeException none) {
                if (this == TIME_OR_NONE) {
                    return "";
                }
                throw in.problem(expected(text));
            }
        }

        @Override
        public String protobuf(ProtobufCursor field, ProtobufDecoder decoder, @Nullable Object before) {
            if (field.isEmpty()) {
                return "";
            }
            long seconds = 0;
            ProtobufCursor in = field.message();
            while (in.next()) {
                if (in.field() == 1) {
                    seconds = in.int64();
                }
            }
            try {
                return Rfc3339.ofEpochSecond(seconds);
            } catch (DateTimeException outOfRange) {
                throw new FieldProblem("", expected(written(seconds)));
            }
        }

        private static String expected(String got) {
            return "expected a time as RFC 3339 has it, got " + Excerpt.quoted(got);
        }

        /** As far as it can be. */
        private static String written(long seconds) {
            return seconds < Instant.MIN.getEpochSecond() || seconds > Instant.MAX.getEpochSecond()
                    ? seconds + " seconds after 1970"
                    : Instant.ofEpochSecond(seconds).toString();
        }

        @Override
        public void write(String value, Encoder out) {
            out.time(value);
        }

        @Override
        public String typeName() {
            return "Time";
        }
    }

    /**
     * A list; nulls in it are passed over.
     *
     * @param finish makes of the elements what is kept
     */
    private record ListType<E>(FieldType<E> element, BiFunction<List<E>, SharedValues, List<E>> finish)
            implements FieldType.OfAnother<List<E>> {
        ListType(FieldType<E> element) {
            this(element, (elements, _) -> List.copyOf(elements));
        }

        @Override
        public List<E> json(JsonCursor in) {
            List<E> elements = new ArrayList<>();
            in.enterList();
            while (in.nextElement()) {
                add(elements, element.json(in));
            }
            return finish.apply(elements, in.shared());
        }

        @Override
        @SuppressWarnings("unchecked") // it is what this has made
        public Object protobuf(ProtobufCursor in, ProtobufDecoder decoder, @Nullable Object before) {
            List<E> elements = before == null ? new ArrayList<>() : (List<E>) before;
            add(elements, (E) element.protobuf(in, decoder, null));
            return elements;
        }

        private static <E> void add(List<E> elements, @Nullable E value) {
            if (value != null) {
                elements.add(value);
            }
        }

        @Override
        @SuppressWarnings("unchecked") // it is what this has made
        public List<E> finish(Object gathered, SharedValues shared) {
            return finish.apply((List<E>) gathered, shared);
        }

        @Override
        public boolean isGathered() {
            return true;
        }

        @Override
        public boolean isList() {
            return true;
        }

        @Override
        public void write(List<E> value, Encoder out) {
            out.beginList();
            for (E one : value) {
                element.write(one, out);
            }
            out.endList();
        }

        @Override
        public String typeName() {
            return "repeated " + element.typeName();
        }
    }

    /**
     * A map with strings for keys: an object in JSON, entries {@code {1: key, 2: value}} in protobuf.
     *
     * @param empty the value of an entry that has none
     * @param finish makes of the entries what is kept
     * @param entries makes entries of that
     */
    private record MapType<E, V>(
            FieldType<E> value,
            E empty,
            BiFunction<Map<String, E>, SharedValues, V> finish,
            Function<V, ? extends Map<String, E>> entries)
            implements FieldType<V> {
        @Override
        public V json(JsonCursor in) {
            Map<String, E> entries = new TreeMap<>();
            in.enterObject();
            while (in.nextField()) {
                String key = in.sharedField();
                E read = value.json(in);
                entries.put(key, read == null ? empty : read);
            }
            return finish.apply(entries, in.shared());
        }

        @Override
        @SuppressWarnings("unchecked") // it is what this has made
        public Object protobuf(ProtobufCursor field, ProtobufDecoder decoder, @Nullable Object before) {
            Map<String, E> entries = before == null ? new TreeMap<>() : (Map<String, E>) before;
            String key = "";
            E read = empty;
            ProtobufCursor in = field.message();
            try {
                while (in.next()) {
                    switch (in.field()) {
                        case 1 -> key = in.string(decoder.shared());
                        case 2 -> read = (E) value.protobuf(in, decoder, null);
                        default -> {}
                    }
                }
            } catch (FieldProblem problem) {
                throw problem.within(key);
            }
            entries.put(key, read == null ? empty : read);
            return entries;
        }

        @Override
        @SuppressWarnings("unchecked") // it is what this has made
        public V finish(Object gathered, SharedValues shared) {
            return finish.apply((Map<String, E>) gathered, shared);
        }

        @Override
        public boolean isGathered() {
            return true;
        }

        @Override
        public void write(V kept, Encoder out) {
            write(entries.apply(kept), value, out);
        }

        static void writeStrings(Map<String, String> entries, Encoder out) {
            write(entries, ScalarType.STRING, out);
        }

        private static <E> void write(Map<String, E> entries, FieldType<E> value, Encoder out) {
            out.beginMap();
            new TreeMap<>(entries).forEach((key, one) -> {
                out.entry(key);
                value.write(one, out);
                out.endEntry();
            });
            out.endMap();
        }

        @Override
        public Optional<Message<?>> message() {
            return value.message();
        }

        @Override
        public String typeName() {
            return "map of " + value.typeName();
        }
    }

    /** Tells by one string which elements of a list are worth decoding. */
    static final class Discriminator {
        static final Discriminator NONE = new Discriminator(0, List.of());

        private final int number;
        private final byte[][] values;

        Discriminator(int number, Collection<String> values) {
            this.number = number;
            this.values = values.stream()
                    .map(text -> text.getBytes(StandardCharsets.UTF_8))
                    .toArray(byte[][]::new);
        }

        boolean passesOver(ProtobufCursor element) {
            if (number == 0) {
                return false;
            }
            boolean counts = false;
            ProtobufCursor in = element.message();
            while (in.next()) {
                if (in.field() == number) {
                    counts = isOne(in);
                }
            }
            return !counts;
        }

        private boolean isOne(ProtobufCursor in) {
            for (byte[] value : values) {
                if (in.is(value)) {
                    return true;
                }
            }
            return false;
        }
    }

    /**
     * A value that is read in one step.
     *
     * @param fromJson null for one that counts as absent, as is that of the next
     */
    private record ScalarType<V>(
            String typeName,
            Function<JsonCursor, @Nullable V> fromJson,
            BiFunction<ProtobufCursor, SharedValues, @Nullable V> fromProtobuf,
            BiConsumer<Encoder, V> to)
            implements FieldType<V> {

        /** A string of a kind that repeats. */
        static final ScalarType<String> STRING =
                new ScalarType<>("string", JsonCursor::sharedString, ProtobufCursor::string, Encoder::string);

        /** A string that counts as absent where it is empty: protobuf writes absent ones so. */
        static final ScalarType<String> NON_EMPTY_STRING = new ScalarType<>(
                "string",
                in -> nonEmpty(in.sharedString()),
                (in, shared) -> nonEmpty(in.string(shared)),
                Encoder::string);

        /** A string that hardly occurs twice. */
        static final ScalarType<String> UNIQUE_STRING =
                new ScalarType<>("string", JsonCursor::string, (in, _) -> in.string(), Encoder::string);

        static final ScalarType<Boolean> BOOL =
                new ScalarType<>("bool", JsonCursor::bool, (in, _) -> in.bool(), Encoder::bool);
        static final ScalarType<Integer> INT32 = new ScalarType<>(
                "int32", JsonCursor::integer, (in, _) -> in.int32(), (out, value) -> out.integer(value));
        static final ScalarType<Long> INT64 =
                new ScalarType<>("int64", JsonCursor::longInteger, (in, _) -> in.int64(), Encoder::integer);

        private static @Nullable String nonEmpty(String text) {
            return text.isEmpty() ? null : text;
        }

        @Override
        public @Nullable V json(JsonCursor in) {
            return fromJson.apply(in);
        }

        @Override
        public @Nullable V protobuf(ProtobufCursor in, ProtobufDecoder decoder, @Nullable Object before) {
            return fromProtobuf.apply(in, decoder.shared());
        }

        @Override
        public void write(V value, Encoder out) {
            to.accept(out, value);
        }
    }

    record MessageType<T>(Message<T> table) implements FieldType<T> {
        @Override
        public T json(JsonCursor in) {
            return JsonDecoder.read(table, in);
        }

        @Override
        public T protobuf(ProtobufCursor in, ProtobufDecoder decoder, @Nullable Object before) {
            return decoder.read(table, in);
        }

        @Override
        public boolean isCopied() {
            return !table.isMostlyUnread();
        }

        @Override
        public void project(ProtobufCursor in, Projection projection) {
            if (table.isMostlyUnread()) {
                projectRead(in, projection);
            } else {
                in.copyTo(projection);
            }
        }

        private void projectRead(ProtobufCursor field, Projection projection) {
            int before = projection.length();
            int begun = projection.begin(field.field());
            boolean anyInlined = projectFields(table.rows(), field.message(), projection);
            if (table.isNothingWithoutInlined() && !anyInlined) {
                projection.cutTo(before);
            } else {
                projection.end(begun);
            }
        }

        /** Adds the fields that have a row; answers whether any of an inlined message were among them. */
        private boolean projectFields(Rows rows, ProtobufCursor in, Projection projection) {
            boolean anyInlined = false;
            while (in.next()) {
                Field<?> field = rows.numbered(in.field());
                if (field != null) {
                    field.project(in, projection);
                } else if (in.field() == rows.inlinedNumber()) {
                    int begun = projection.begin(in.field());
                    projectFields(table.inlined(), in.message(), projection);
                    anyInlined |= projection.length() > begun;
                    projection.end(begun);
                }
            }
            return anyInlined;
        }

        @Override
        public void write(T value, Encoder out) {
            TableWriter.write(table, value, out);
        }

        @Override
        public Optional<Message<?>> message() {
            return Optional.of(table);
        }

        @Override
        public String typeName() {
            return "message";
        }
    }
}
