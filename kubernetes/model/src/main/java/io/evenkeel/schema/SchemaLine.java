package io.evenkeel.schema;

import io.evenkeel.schema.Field.Count;
import io.evenkeel.schema.FieldType.Nested;
import io.evenkeel.schema.FieldType.Scalar;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A message as the schema writes it down.
 *
 * @param words its name, then its fields
 * @param names finds the full names of messages that fields hold
 */
record SchemaLine(List<String> words, UnaryOperator<String> names) {
    private static final Pattern FIELD = Pattern.compile(
            "(?<inlined>\\+?)(?<name>\\w+)=(?<number>\\d+)(?<count>\\[]|\\{}|)(?<zero>\\??)(:(?<type>\\w+))?");
    private static final Map<String, Scalar> SCALARS = Map.of(
            "int", Scalar.INT,
            "bool", Scalar.BOOL,
            "bytes", Scalar.BYTES,
            "quantity", Scalar.QUANTITY,
            "time", Scalar.TIME,
            "microTime", Scalar.MICRO_TIME,
            "intOrString", Scalar.INT_OR_STRING,
            "texts", Scalar.TEXTS,
            "json", Scalar.JSON);

    /** All others are messages in protobuf, which are there or not. */
    private static final Set<FieldType> PLAIN = Set.of(Scalar.STRING, Scalar.INT, Scalar.BOOL, Scalar.BYTES);

    MessageType message() {
        List<Field> fields = new ArrayList<>();
        List<Field> inlined = new ArrayList<>();
        for (String word : words.subList(1, words.size())) {
            Matcher parts = FIELD.matcher(word);
            if (!parts.matches()) {
                throw new IllegalStateException("schema: " + words.getFirst() + " has no field: " + word);
            }
            (parts.group("inlined").isEmpty() ? fields : inlined).add(field(parts));
        }
        return MessageType.of(fields, inlined);
    }

    private Field field(Matcher parts) {
        Count count = switch (parts.group("count")) {
            case "[]" -> Count.MANY;
            case "{}" -> Count.MAP;
            default -> Count.ONE;
        };
        FieldType type =
                Optional.ofNullable(parts.group("type")).map(this::type).orElse(Scalar.STRING);
        return new Field(
                parts.group("name"),
                Integer.parseInt(parts.group("number")),
                count,
                !parts.group("zero").isEmpty() || !PLAIN.contains(type),
                type);
    }

    private FieldType type(String name) {
        return SCALARS.containsKey(name) ? SCALARS.get(name) : new Nested(names.apply(name));
    }
}
