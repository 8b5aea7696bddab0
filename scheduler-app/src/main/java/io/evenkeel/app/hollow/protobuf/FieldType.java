package io.evenkeel.app.hollow.protobuf;

/** What one value of a field is. */
sealed interface FieldType {

    /** A message of the schema, by its name. */
    record Nested(String message) implements FieldType {}

    /** What JSON writes as a single value, though some of these are messages in protobuf. */
    enum Scalar implements FieldType {
        STRING,
        INT,
        BOOL,
        /** JSON has them in base64. */
        BYTES,
        QUANTITY,
        TIME,
        INT_OR_STRING,
        /** Field sets, of which protobuf holds the very JSON text. */
        FIELDS
    }
}
