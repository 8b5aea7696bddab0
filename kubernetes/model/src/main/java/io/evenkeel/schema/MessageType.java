package io.evenkeel.schema;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A kind of message.
 *
 * @param fields by their names in JSON
 * @param inlined messages of their own that JSON writes into this one, by their numbers
 */
public record MessageType(Map<String, Field> fields, Map<Integer, Field> numbered, Map<Integer, Field> inlined) {

    static MessageType of(List<Field> fields, List<Field> inlined) {
        return new MessageType(
                fields.stream().collect(Collectors.toUnmodifiableMap(Field::name, Function.identity())),
                byNumber(fields),
                byNumber(inlined));
    }

    public Optional<Field> field(int number) {
        return Optional.ofNullable(numbered.get(number));
    }

    /** The message of its own that is written into this one. */
    public Optional<Field> part(int number) {
        return Optional.ofNullable(inlined.get(number));
    }

    public Collection<Field> parts() {
        return inlined.values();
    }

    private static Map<Integer, Field> byNumber(List<Field> fields) {
        return fields.stream().collect(Collectors.toUnmodifiableMap(Field::number, Function.identity()));
    }
}
