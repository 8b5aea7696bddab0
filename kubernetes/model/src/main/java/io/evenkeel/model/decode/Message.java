package io.evenkeel.model.decode;

import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.model.decode.cursor.FieldProblem;
import io.evenkeel.model.decode.cursor.ProtobufCursor;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The table of a message: the fields that are read of it, a row each, and what is made of them. Both encodings are read
 * by it, the same fields to the same value with the same problems. Immutable once made.
 *
 * <pre>
 * static final Message&lt;Taint&gt; TAINT = Message.of(fields -&gt; {
 *     var key = fields.string("key", 1);
 *     var value = fields.string("value", 2);
 *     var effect = fields.constant("effect", 3, TaintEffect.BY_NAME);
 *     return read -&gt; new Taint(read.get(key), read.get(value), read.get(effect));
 * });
 * </pre>
 *
 * A table's fields are rows of {@link Values}, in their order; both interpreters fill in the same:
 *
 * <pre>
 * JSON       {"key":"gpu","effect":"NoSchedule"}        by name:    key -&gt; 0, effect -&gt; 2
 * protobuf   0a 03 g p u 1a 0a N o S c h e d u l e      by number:  1 -&gt; 0, 3 -&gt; 2
 * values     [0] "gpu"   [1] absent: ""   [2] NO_SCHEDULE
 * made       new Taint("gpu", "", NO_SCHEDULE)
 * </pre>
 *
 * @since 0.1
 */
public final class Message<T> {
    private final Fields fields;
    private final Function<Values, T> make;
    private final Rows rows;
    private final Rows inlined;
    private final Map<String, Field<?>> byName = new HashMap<>();
    private final Field<?>[] gathered;
    private final Map<String, Message<T>> otherwise = new HashMap<>();
    private @Nullable Parts<?, T> parts;
    private boolean shared;
    private boolean mostlyUnread;
    private boolean nothingWithoutInlined;

    private Message(Fields fields, Function<Values, T> make) {
        this.fields = fields;
        this.make = make;
        this.rows = new Rows(fields.own(), fields.inlinedNumber());
        this.inlined = new Rows(fields.inlinedFields(), 0);
        for (Field<?> field : fields.all()) {
            if (byName.put(field.name(), field) != null) {
                throw new IllegalArgumentException("two fields of the name of " + field);
            }
        }
        this.gathered =
                fields.all().stream().filter(field -> field.type().isGathered()).toArray(Field<?>[]::new);
    }

    /** A table: declares the fields, and answers what makes the value of what has been read of them. */
    public static <T> Message<T> of(Function<Fields, Function<Values, T>> table) {
        Fields fields = new Fields();
        Function<Values, T> make = table.apply(fields);
        return new Message<>(fields, make);
    }

    /** As {@link #of}, for messages that are largely alike in many objects. */
    public static <T> Message<T> inParts(Function<Fields, Parts<?, T>> table) {
        Fields fields = new Fields();
        Parts<?, T> parts = table.apply(fields);
        Message<T> message = new Message<>(fields, parts::make);
        message.parts = parts;
        return message;
    }

    /** As {@link #of}, for objects: the first row is {@link Metadata#FIELD}. */
    public static <T> Message<T> ofObject(Function<Fields, Function<Values, T>> table) {
        return ofObject(Metadata.FIELD, table);
    }

    /** As {@link #ofObject(Function)}, with the first row that is given. */
    public static <T> Message<T> ofObject(Field<ObjectMeta> metadata, Function<Fields, Function<Values, T>> table) {
        return of(fields -> {
            fields.add(metadata);
            return table.apply(fields);
        });
    }

    /** For messages that come again and again as a whole. */
    public Message<T> shared() {
        shared = true;
        return this;
    }

    /** For messages with bytes that are worth copying only where they are read. */
    public Message<T> mostlyUnread() {
        mostlyUnread = true;
        return this;
    }

    /** For messages that count only where one of the inlined fields is there. */
    public Message<T> nothingWithoutInlined() {
        nothingWithoutInlined = true;
        return mostlyUnread();
    }

    /** For objects that look otherwise in another version of their group, where this table reads them. */
    public Message<T> butIn(String version, Message<T> table) {
        otherwise.put(version, table);
        return this;
    }

    /** The table of objects in that version of their group. */
    public Message<T> in(String version) {
        return otherwise.getOrDefault(version, this);
    }

    /** All rows, in the order in which they were declared. */
    public List<Field<?>> fields() {
        return fields.all();
    }

    /** The number of the message that JSON has inlined in this one; 0 for none. */
    public int inlinedNumber() {
        return fields.inlinedNumber();
    }

    List<Field<?>> ownFields() {
        return fields.own();
    }

    /** Returns the fields of the rows that stand in that message. */
    public List<Field<?>> inlinedFields() {
        return List.copyOf(fields.inlinedFields());
    }

    public Values newValues() {
        return new Values(fields.all().size());
    }

    /**
     * Makes the table's object from what has been read. Where it fails, as a plugin's may, the object is at fault and not the
     * reading: of others all is well.
     */
    public T make(Values values) {
        try {
            return make.apply(values);
        } catch (FieldProblem problem) {
            throw problem;
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError fault) {
            throw new FieldProblem("", Excerpt.of(fault.toString()));
        }
    }

    @Nullable
    Field<?> named(String name) {
        return byName.get(name);
    }

    Rows rows() {
        return rows;
    }

    Rows inlined() {
        return inlined;
    }

    Field<?>[] gathered() {
        return gathered;
    }

    @Nullable
    Parts<?, T> parts() {
        return parts;
    }

    boolean isShared() {
        return shared;
    }

    boolean isMostlyUnread() {
        return mostlyUnread;
    }

    boolean isNothingWithoutInlined() {
        return nothingWithoutInlined;
    }

    boolean isPassedOver(ProtobufCursor in) {
        return fields.discriminator().passesOver(in);
    }

    /** A message's fields by their numbers: a look-up is an access to an array. */
    static final class Rows {
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
}
