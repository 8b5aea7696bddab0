package io.evenkeel.schema;

/**
 * A field of a message.
 *
 * @param name in JSON
 * @param keepsZero whether a zero or an empty text is a value; otherwise it is how clients in Go write that there is none
 */
public record Field(String name, int number, Count count, boolean keepsZero, FieldType type) {

    /** How many values it has; the entries of a map are messages {@code {1: key, 2: value}}. */
    public enum Count {
        ONE,
        MANY,
        MAP
    }
}
