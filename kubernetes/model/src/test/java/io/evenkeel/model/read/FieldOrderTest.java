package io.evenkeel.model.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** JSON objects are unordered: whatever order an object's fields are in, it is the same object. */
class FieldOrderTest {
    private static final long SEED = Long.getLong("evenkeel.seed", 1);
    private static final int ROUNDS = 300;

    private final JsonFactory json = new JsonFactory();
    private final Random random = new Random(SEED);

    @Test
    void anyOrderOfFieldsReadsTheSame() throws IOException {
        ObjectReader reader = new ObjectReader();
        for (int i = 0; i < ROUNDS; i++) {
            String pod = shuffled(TestObjects.POD_JSON);
            String node = shuffled(TestObjects.NODE_JSON);

            assertThat(reader.read(pod)).as("%s with seed %d", pod, SEED).isEqualTo(TestObjects.pod());
            assertThat(reader.read(node)).as("%s with seed %d", node, SEED).isEqualTo(TestObjects.node());
        }
    }

    private String shuffled(String text) throws IOException {
        try (JsonParser parser = json.createParser(text)) {
            parser.nextToken();
            return shuffledValue(parser);
        }
    }

    /** The value that the parser stands on, with the fields of each object in it in a random order. */
    private String shuffledValue(JsonParser parser) throws IOException {
        if (parser.currentToken() == JsonToken.START_ARRAY) {
            List<String> elements = new ArrayList<>();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                elements.add(shuffledValue(parser));
            }
            return "[" + String.join(",", elements) + "]";
        }
        if (parser.currentToken() == JsonToken.START_OBJECT) {
            List<String> fields = new ArrayList<>();
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String name = quoted(parser.currentName());
                parser.nextToken();
                fields.add(name + ":" + shuffledValue(parser));
            }
            Collections.shuffle(fields, random);
            return "{" + String.join(",", fields) + "}";
        }
        return parser.currentToken() == JsonToken.VALUE_STRING ? quoted(parser.getText()) : parser.getText();
    }

    private String quoted(String text) throws IOException {
        StringWriter out = new StringWriter();
        try (var generator = json.createGenerator(out)) {
            generator.writeString(text);
        }
        return out.toString();
    }
}
