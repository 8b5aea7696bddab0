package io.evenkeel.hollow;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.evenkeel.hollow.Encoding.ListMeta;
import io.evenkeel.schema.Schema;
import io.evenkeel.schema.Schema.Field;
import io.evenkeel.schema.Schema.FieldType;
import io.evenkeel.schema.Schema.FieldType.Nested;
import io.evenkeel.schema.Schema.FieldType.Scalar;
import io.evenkeel.schema.Schema.MessageType;
import io.evenkeel.schema.TypeMeta;
import java.io.IOException;
import java.io.OutputStream;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * Protobuf. A whole object or list is {@code k8s\0} and {@code Unknown{1: type, 2:
 * fields}}; a watch event is four bytes of length and {@code WatchEvent{1: type, 2: {1: object}}}.
 */
final class ProtobufEncoding implements Encoding {
    static final String MEDIA_TYPE = "application/vnd.kubernetes.protobuf";
    static final byte[] MAGIC = {'k', '8', 's', 0};
    private final Schema schema = Schema.KUBERNETES;
    private final MessageWriter writer = new MessageWriter();

    @Override
    public String mediaType() {
        return MEDIA_TYPE;
    }

    @Override
    public String watchContentType() {
        return MEDIA_TYPE + ";stream=watch";
    }

    @Override
    public boolean supports(TypeMeta type) {
        return schema.hasProtobuf(type);
    }

    @Override
    public byte[] body(TypeMeta type, JsonObject tree) {
        return writer.write(schema.nameOf(type).orElseThrow(), tree);
    }

    @Override
    public byte[] object(TypeMeta type, byte[] body) {
        return head(type, body.length).raw(body).raw(tail()).toBytes();
    }

    @Override
    public void list(OutputStream out, TypeMeta listType, ListMeta meta, List<byte[]> bodies) throws IOException {
        byte[] metadata = metadata(meta);
        long length = lengthOfField(metadata.length);
        for (byte[] body : bodies) {
            length += lengthOfField(body.length);
        }
        out.write(head(listType, length).bytes(1, metadata).toBytes());
        for (byte[] body : bodies) {
            out.write(new ProtobufOutput().header(2, body.length).toBytes());
            out.write(body);
        }
        out.write(tail());
    }

    @Override
    public byte[] event(String eventType, byte[] object) {
        ProtobufOutput event = new ProtobufOutput().string(1, eventType);
        event.header(2, lengthOfField(object.length)).bytes(1, object);
        int length = event.size();
        byte[] frameHead = {(byte) (length >>> 24), (byte) (length >>> 16), (byte) (length >>> 8), (byte) length};
        return new ProtobufOutput().raw(frameHead).raw(event.toBytes()).toBytes();
    }

    /** All that stands before the fields. */
    private static ProtobufOutput head(TypeMeta type, long length) {
        byte[] typeMeta = new ProtobufOutput()
                .string(1, type.apiVersion())
                .string(2, type.kind())
                .toBytes();
        return new ProtobufOutput().raw(MAGIC).bytes(1, typeMeta).header(2, length);
    }

    /** The content's encoding and type, which a real server writes though they are empty. */
    private static byte[] tail() {
        return new ProtobufOutput().string(3, "").string(4, "").toBytes();
    }

    private static byte[] metadata(ListMeta meta) {
        ProtobufOutput out = new ProtobufOutput().string(1, "").string(2, meta.resourceVersion());
        out.string(3, meta.continueToken());
        if (!meta.continueToken().isEmpty() && meta.remaining() >= 0) {
            out.number(4, meta.remaining());
        }
        return out.toBytes();
    }

    /** The length of a field numbered up to 15, which has a tag of one byte. */
    private static long lengthOfField(int length) {
        return 1L + ProtobufOutput.lengthOfVarint(length) + length;
    }

    /**
     * Writes JSON objects as messages. What the schema does not know is left out, and so is a value of another form than its
     * field's, which a real server would not have let in.
     */
    static final class MessageWriter {
        private final Schema schema = Schema.KUBERNETES;

        byte[] write(String message, JsonObject tree) {
            ProtobufOutput out = new ProtobufOutput();
            write(schema.message(message), tree, out);
            return out.toBytes();
        }

        private void write(MessageType type, JsonObject tree, ProtobufOutput out) {
            for (Map.Entry<String, JsonElement> member : tree.entrySet()) {
                Field field = type.fields().get(member.getKey());
                if (field != null) {
                    write(field, member.getValue(), out);
                }
            }
            for (Field part : type.parts()) {
                write(part.number(), part.type(), tree, out);
            }
        }

        private void write(Field field, JsonElement value, ProtobufOutput out) {
            switch (field.count()) {
                case ONE -> write(field.number(), field.type(), value, out);
                case MANY -> {
                    if (value.isJsonArray()) {
                        value.getAsJsonArray().forEach(element -> write(field.number(), field.type(), element, out));
                    }
                }
                case MAP -> {
                    if (value.isJsonObject()) {
                        value.getAsJsonObject().entrySet().forEach(entry -> writeEntry(field, entry, out));
                    }
                }
            }
        }

        private void writeEntry(Field field, Map.Entry<String, JsonElement> entry, ProtobufOutput out) {
            int begun = out.begin(field.number());
            out.string(1, entry.getKey());
            write(2, field.type(), entry.getValue(), out);
            out.end(begun);
        }

        private void write(int number, FieldType type, JsonElement value, ProtobufOutput out) {
            switch (type) {
                case Nested nested -> {
                    if (value.isJsonObject()) {
                        int begun = out.begin(number);
                        write(schema.message(nested.message()), value.getAsJsonObject(), out);
                        out.end(begun);
                    }
                }
                case Scalar scalar -> ScalarWriter.write(number, scalar, value, out);
            }
        }
    }

    /** Writes what JSON has as a single value. */
    private static final class ScalarWriter {

        private ScalarWriter() {}

        static void write(int number, Scalar type, JsonElement value, ProtobufOutput out) {
            if (type == Scalar.JSON) {
                text(number, value.toString(), out);
            } else if (type == Scalar.TEXTS && value instanceof JsonArray texts) {
                int begun = out.begin(number);
                texts.forEach(text -> out.string(1, text.getAsString()));
                out.end(begun);
            } else if (type != Scalar.TEXTS && value instanceof JsonPrimitive primitive) {
                try {
                    write(number, type, primitive, out);
                } catch (IllegalArgumentException | DateTimeException e) {
                    // not a value of the field's form, which a real server would not have let in
                }
            }
        }

        /** Finds out whether the value is one before anything is written. */
        private static void write(int number, Scalar type, JsonPrimitive value, ProtobufOutput out) {
            switch (type) {
                case STRING -> out.string(number, value.getAsString());
                case INT -> {
                    if (value.isNumber()) {
                        out.number(number, value.getAsLong());
                    }
                }
                case BOOL -> out.number(number, value.getAsBoolean() ? 1 : 0);
                case BYTES -> out.bytes(number, Base64.getDecoder().decode(value.getAsString()));
                case QUANTITY -> text(number, value.getAsString(), out);
                case TIME, MICRO_TIME -> {
                    Instant time = Instant.parse(value.getAsString());
                    int begun = out.begin(number);
                    out.number(1, time.getEpochSecond());
                    out.number(2, type == Scalar.TIME ? 0 : time.getNano());
                    out.end(begun);
                }
                case INT_OR_STRING -> {
                    int begun = out.begin(number);
                    if (value.isNumber()) {
                        out.number(1, 0).number(2, value.getAsLong());
                    } else {
                        out.number(1, 1).string(3, value.getAsString());
                    }
                    out.end(begun);
                }
                case TEXTS, JSON -> throw new IllegalStateException("not one value: " + value);
            }
        }

        private static void text(int number, String text, ProtobufOutput out) {
            int begun = out.begin(number);
            out.string(1, text);
            out.end(begun);
        }
    }

    /** The bytes of a message, field by field. Nested messages are written in place and get their length afterwards. */
    static final class ProtobufOutput {
        private static final int VARINT = 0;
        private static final int LENGTH_DELIMITED = 2;

        private byte[] bytes = new byte[1 << 10];
        private int size;

        ProtobufOutput number(int field, long value) {
            varint((long) field << 3 | VARINT);
            varint(value);
            return this;
        }

        ProtobufOutput string(int field, String value) {
            return bytes(field, value.getBytes(UTF_8));
        }

        ProtobufOutput bytes(int field, byte[] value) {
            header(field, value.length);
            return raw(value);
        }

        /** The tag and length of a value that is written elsewhere. */
        ProtobufOutput header(int field, long length) {
            varint((long) field << 3 | LENGTH_DELIMITED);
            varint(length);
            return this;
        }

        ProtobufOutput raw(byte[] value) {
            reserve(value.length);
            System.arraycopy(value, 0, bytes, size, value.length);
            size += value.length;
            return this;
        }

        /** Begins a nested message; what this answers is wanted by {@link #end}. */
        int begin(int field) {
            header(field, 0);
            return size;
        }

        /** Ends the nested message. Its length was kept a byte; a longer one moves the message. */
        void end(int begun) {
            int length = size - begun;
            int more = lengthOfVarint(length) - 1;
            reserve(more);
            System.arraycopy(bytes, begun, bytes, begun + more, length);
            size = begun - 1;
            varint(length);
            size += length;
        }

        byte[] toBytes() {
            return Arrays.copyOf(bytes, size);
        }

        int size() {
            return size;
        }

        private void varint(long value) {
            reserve(10);
            long rest = value;
            while ((rest & ~0x7fL) != 0) {
                bytes[size++] = (byte) (rest | 0x80);
                rest >>>= 7;
            }
            bytes[size++] = (byte) rest;
        }

        static int lengthOfVarint(long value) {
            return Math.max(1, (70 - Long.numberOfLeadingZeros(value)) / 7);
        }

        private void reserve(int more) {
            if (bytes.length - size < more) {
                bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
            }
        }
    }
}
