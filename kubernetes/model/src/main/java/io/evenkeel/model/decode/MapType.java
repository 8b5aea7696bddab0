package io.evenkeel.model.decode;

import io.evenkeel.model.decode.cursor.FieldProblem;
import io.evenkeel.model.decode.cursor.JsonCursor;
import io.evenkeel.model.decode.cursor.ProtobufCursor;
import io.evenkeel.model.decode.cursor.SharedValues;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A map with strings for keys: an object in JSON, entries {@code {1: key, 2: value}} in protobuf.
 *
 * @param empty the value of an entry that has none
 * @param finish makes of the entries what is kept
 * @param entries makes entries of that
 */
record MapType<E, V>(
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
    public String typeName() {
        return "map of " + value.typeName();
    }
}
