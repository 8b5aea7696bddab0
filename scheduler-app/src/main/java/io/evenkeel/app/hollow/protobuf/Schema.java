package io.evenkeel.app.hollow.protobuf;

import io.evenkeel.app.hollow.protobuf.Field.Count;
import io.evenkeel.app.hollow.protobuf.FieldType.Nested;
import io.evenkeel.app.hollow.protobuf.FieldType.Scalar;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** All message types, read from {@code schema.txt}, which tells its own form. */
record Schema(Map<String, MessageType> messages) {
    private static final Pattern FIELD =
            Pattern.compile("(?<inlined>\\+?)(?<name>\\w+)=(?<number>\\d+)(?<count>\\[]|\\{}|)(:(?<type>\\w+))?");
    private static final Map<String, Scalar> SCALARS = Map.of(
            "int", Scalar.INT,
            "bool", Scalar.BOOL,
            "bytes", Scalar.BYTES,
            "quantity", Scalar.QUANTITY,
            "time", Scalar.TIME,
            "intOrString", Scalar.INT_OR_STRING,
            "fields", Scalar.FIELDS);

    static Schema load() {
        try (InputStream in = Schema.class.getResourceAsStream("schema.txt")) {
            if (in == null) {
                throw new IllegalStateException("schema.txt is missing beside " + Schema.class.getName());
            }
            return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Schema parse(String text) {
        Map<String, MessageType> messages = new HashMap<>();
        for (String message :
                text.replaceAll("#.*", "").replaceAll("\\n +", " ").split("\\n", -1)) {
            if (!message.isBlank()) {
                String[] words = message.split(" ", -1);
                messages.put(words[0], messageType(List.of(words).subList(1, words.length)));
            }
        }
        return new Schema(Map.copyOf(messages));
    }

    private static MessageType messageType(List<String> words) {
        Map<String, Field> fields = new HashMap<>();
        List<Field> inlined = new ArrayList<>();
        for (String word : words) {
            Matcher parts = FIELD.matcher(word);
            if (!parts.matches()) {
                throw new IllegalStateException("schema.txt: no field: " + word);
            }
            Field field = field(parts);
            if (parts.group("inlined").isEmpty()) {
                fields.put(field.name(), field);
            } else {
                inlined.add(field);
            }
        }
        return new MessageType(Map.copyOf(fields), List.copyOf(inlined));
    }

    private static Field field(Matcher parts) {
        Count count = switch (parts.group("count")) {
            case "[]" -> Count.MANY;
            case "{}" -> Count.MAP;
            default -> Count.ONE;
        };
        FieldType type = Optional.ofNullable(parts.group("type"))
                .map(name -> SCALARS.containsKey(name) ? SCALARS.get(name) : new Nested(name))
                .orElse(Scalar.STRING);
        return new Field(parts.group("name"), Integer.parseInt(parts.group("number")), count, type);
    }

    /** The message type of this name; that it exists is the table's own promise. */
    MessageType message(String name) {
        MessageType type = messages.get(name);
        if (type == null) {
            throw new IllegalArgumentException("schema.txt has no line for " + name);
        }
        return type;
    }
}
