package io.evenkeel.schema;

/** The type of one value of a field. */
public sealed interface FieldType {

    /** A message, by the name that the schema has it under. */
    record Nested(String message) implements FieldType {}

    /** A single value in JSON, though some of these are messages in protobuf. */
    enum Scalar implements FieldType {
        STRING,
        INT,
        BOOL,
        /** JSON has them in base64. */
        BYTES,
        QUANTITY,
        /** To the second. */
        TIME,
        /** To the microsecond; JSON always writes six digits of it. */
        MICRO_TIME,
        INT_OR_STRING,
        /** A list of strings where a field or a map's entry can only have one value. */
        TEXTS,
        /** Of any form: protobuf holds the very JSON text. */
        JSON
    }
}
