package io.evenkeel.app.hollow.protobuf;

/**
 * A field of a message.
 *
 * @param name in JSON
 */
record Field(String name, int number, Count count, FieldType type) {

    /** How many values it has; the entries of a map are messages {@code {1: key, 2: value}}. */
    enum Count {
        ONE,
        MANY,
        MAP
    }
}
