package io.evenkeel.model.write;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An object in the making, its fields in the order in which they are written. Values are texts, numbers, booleans, null, JSON, trees, and
 * maps and collections of these; anything else is the text that it says of itself.
 */
public final class Tree {
    private static final JsonFactory JSON = new JsonFactory();

    private final Map<String, @Nullable Object> fields = new LinkedHashMap<>();

    /** A value that is JSON already. */
    public record Raw(String json) {}

    public Tree put(String name, @Nullable Object value) {
        fields.put(name, plain(value));
        return this;
    }

    /** Puts a list of what is written of each element. */
    public <T> Tree put(String name, Collection<T> elements, Function<? super T, ?> writer) {
        return put(name, elements.stream().map(writer).toList());
    }

    /** Puts an object with a field for each entry. */
    public <T> Tree put(String name, Map<String, T> entries, Function<? super T, ?> writer) {
        Tree object = new Tree();
        entries.forEach((field, value) -> object.put(field, writer.apply(value)));
        return put(name, object);
    }

    public Tree putPresent(String name, Optional<?> value) {
        value.ifPresent(present -> put(name, present));
        return this;
    }

    public Tree putNonEmpty(String name, String text) {
        return text.isEmpty() ? this : put(name, text);
    }

    public Tree putNonEmpty(String name, Collection<?> elements) {
        return elements.isEmpty() ? this : put(name, elements);
    }

    public <T> Tree putNonEmpty(String name, Collection<T> elements, Function<? super T, ?> writer) {
        return elements.isEmpty() ? this : put(name, elements, writer);
    }

    /** The fields as maps, lists and scalars. */
    public Map<String, @Nullable Object> fields() {
        return fields;
    }

    public String json() {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            write(json, fields);
        } catch (IOException inMemory) {
            throw new UncheckedIOException(inMemory);
        }
        return text.toString();
    }

    private static @Nullable Object plain(@Nullable Object value) {
        return switch (value) {
            case Tree tree -> tree.fields;
            case Map<?, ?> entries -> {
                Map<String, @Nullable Object> object = new LinkedHashMap<>();
                entries.forEach((name, each) -> object.put(String.valueOf(name), plain(each)));
                yield object;
            }
            case Collection<?> elements -> {
                List<@Nullable Object> list = new ArrayList<>();
                elements.forEach(each -> list.add(plain(each)));
                yield list;
            }
            case null, default -> value;
        };
    }

    private static void write(JsonGenerator json, @Nullable Object value) throws IOException {
        switch (value) {
            case null -> json.writeNull();
            case Map<?, ?> map -> {
                json.writeStartObject();
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    json.writeFieldName(String.valueOf(entry.getKey()));
                    write(json, entry.getValue());
                }
                json.writeEndObject();
            }
            case Collection<?> list -> {
                json.writeStartArray();
                for (Object element : list) {
                    write(json, element);
                }
                json.writeEndArray();
            }
            case Boolean truth -> json.writeBoolean(truth);
            case Double number -> json.writeNumber(number);
            case Float number -> json.writeNumber(number);
            case Number number -> json.writeNumber(number.toString());
            case Raw raw -> json.writeRawValue(raw.json());
            default -> json.writeString(value.toString());
        }
    }
}
