package io.evenkeel.config.file;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.util.Map;

/** A tree of maps, lists and scalars as JSON. */
final class JsonTree {
    private static final JsonFactory JSON = new JsonFactory();

    private JsonTree() {}

    static String of(Map<String, ?> tree) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            write(json, tree);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static void write(JsonGenerator json, Object value) throws IOException {
        switch (value) {
            case Map<?, ?> map -> {
                json.writeStartObject();
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    json.writeFieldName(String.valueOf(entry.getKey()));
                    write(json, entry.getValue());
                }
                json.writeEndObject();
            }
            case Iterable<?> list -> {
                json.writeStartArray();
                for (Object element : list) {
                    write(json, element);
                }
                json.writeEndArray();
            }
            case Boolean truth -> json.writeBoolean(truth);
            case Integer number -> json.writeNumber(number);
            case Long number -> json.writeNumber(number);
            case BigInteger number -> json.writeNumber(number);
            case Double number -> json.writeNumber(number);
            case Float number -> json.writeNumber(number);
            default -> json.writeString(value.toString());
        }
    }
}
