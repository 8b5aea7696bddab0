package io.evenkeel.model.decode;

import io.evenkeel.model.decode.cursor.JsonCursor;
import io.evenkeel.model.decode.cursor.ProtobufCursor;
import io.evenkeel.model.decode.cursor.SharedValues;
import io.evenkeel.model.value.Labels;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A map of strings, read for some keys only: annotations are many, and one can hold a whole manifest. In protobuf,
 * where entries are messages, the others are passed over by their bytes.
 */
final class KeptEntriesType implements FieldType<Labels> {
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
