package io.evenkeel.app.hollow.protobuf;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A kind of message.
 *
 * @param fields by their names in JSON
 * @param inlined messages of their own whose fields JSON writes into this one
 */
record MessageType(Map<String, Field> fields, List<Field> inlined) {

    Optional<Field> field(int number) {
        return numbered(fields.values(), number);
    }

    /** The message of its own that is written into this one. */
    Optional<Field> part(int number) {
        return numbered(inlined, number);
    }

    private static Optional<Field> numbered(Collection<Field> fields, int number) {
        return fields.stream().filter(field -> field.number() == number).findFirst();
    }
}
