package io.evenkeel.hollow;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import io.evenkeel.hollow.ProtobufBody.MalformedMessageException;
import io.evenkeel.hollow.ProtobufEncoding.MessageWriter;
import io.evenkeel.model.json.Trees;
import io.evenkeel.schema.Schema;
import io.evenkeel.schema.Schema.Field;
import io.evenkeel.schema.Schema.FieldType;
import io.evenkeel.schema.Schema.FieldType.Nested;
import io.evenkeel.schema.Schema.FieldType.Scalar;
import io.evenkeel.schema.Schema.MessageType;
import io.evenkeel.schema.TypeMeta;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Bodies as typed clients send them: they would rather write protobuf wherever the kind has it. */
final class ProtobufBody {
    static final String MEDIA_TYPE = ProtobufEncoding.MEDIA_TYPE;

    private static final byte[] MAGIC = ProtobufEncoding.MAGIC;
    private static final MessageReader READER = new MessageReader();

    private ProtobufBody() {}

    /**
     * The object with its type.
     *
     * @throws MalformedMessageException if it is none, or of a kind that the schema does not know
     */
    static JsonObject read(byte[] body) {
        if (body.length < MAGIC.length || !Arrays.equals(body, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw new MalformedMessageException(
                    "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]");
        }
        ProtobufInput envelope = new ProtobufInput(Arrays.copyOfRange(body, MAGIC.length, body.length));
        byte[] type = {};
        byte[] fields = {};
        for (int number = envelope.next(); number != 0; number = envelope.next()) {
            switch (number) {
                case 1 -> type = envelope.bytes();
                case 2 -> fields = envelope.bytes();
                default -> envelope.skip();
            }
        }
        return read(READER.read(Schema.TYPE_META, type), fields);
    }

    private static JsonObject read(JsonObject tree, byte[] fields) {
        TypeMeta type = new TypeMeta(Trees.text(tree, "apiVersion"), Trees.text(tree, "kind"));
        String message = Schema.KUBERNETES
                .nameOf(type)
                .filter(_ -> Schema.KUBERNETES.hasProtobuf(type))
                .orElseThrow(() -> new MalformedMessageException(
                        "no kind \"%s\" is registered for version \"%s\"".formatted(type.kind(), type.apiVersion())));
        READER.read(message, fields).asMap().forEach(tree::add);
        return tree;
    }

    /**
     * Reads messages as JSON objects: what {@link MessageWriter} does, backwards. What the schema does not know is left out.
     * Clients in Go write a zero or an empty string where there is none, so that these are left out too, save where the schema
     * says that they are values.
     */
    private static final class MessageReader {
        private static final Set<JsonElement> ZEROS =
                Set.of(new JsonPrimitive(""), new JsonPrimitive(0L), new JsonPrimitive(false));

        private final Schema schema = Schema.KUBERNETES;

        JsonObject read(String message, byte[] bytes) {
            JsonObject tree = new JsonObject();
            read(schema.message(message), bytes, tree);
            return tree;
        }

        private void read(MessageType type, byte[] bytes, JsonObject tree) {
            ProtobufInput in = new ProtobufInput(bytes);
            for (int number = in.next(); number != 0; number = in.next()) {
                Optional<Field> field = type.field(number);
                Optional<Field> part = type.part(number);
                if (field.isPresent()) {
                    read(field.get(), in, tree);
                } else if (part.isPresent() && part.get().type() instanceof Nested nested) {
                    read(schema.message(nested.message()), in.bytes(), tree);
                } else {
                    in.skip();
                }
            }
        }

        private void read(Field field, ProtobufInput in, JsonObject tree) {
            switch (field.count()) {
                case ONE -> {
                    JsonElement value = value(field.type(), in);
                    if (!value.isJsonNull() && (field.keepsZero() || !ZEROS.contains(value))) {
                        tree.add(field.name(), value);
                    }
                }
                case MANY -> Trees.ensureArray(tree, field.name()).add(value(field.type(), in));
                case MAP -> readEntry(field, in, Trees.ensureObject(tree, field.name()));
            }
        }

        private void readEntry(Field field, ProtobufInput in, JsonObject entries) {
            String key = "";
            JsonElement value = new JsonPrimitive("");
            ProtobufInput entry = new ProtobufInput(in.bytes());
            for (int number = entry.next(); number != 0; number = entry.next()) {
                switch (number) {
                    case 1 -> key = new String(entry.bytes(), UTF_8);
                    case 2 -> value = value(field.type(), entry);
                    default -> entry.skip();
                }
            }
            entries.add(key, value);
        }

        private JsonElement value(FieldType type, ProtobufInput in) {
            return switch (type) {
                case Nested nested -> read(nested.message(), in.bytes());
                case Scalar scalar -> ScalarReader.read(scalar, in);
            };
        }
    }

    /** Reads what JSON writes as a single value. */
    private static final class ScalarReader {
        private static final DateTimeFormatter TIMES = format("uuuu-MM-dd'T'HH:mm:ssX");
        private static final DateTimeFormatter MICRO_TIMES = format("uuuu-MM-dd'T'HH:mm:ss.SSSSSSX");

        private ScalarReader() {}

        /** The value, or JSON's null for a time that is none. */
        static JsonElement read(Scalar type, ProtobufInput in) {
            return switch (type) {
                case STRING -> new JsonPrimitive(new String(in.bytes(), UTF_8));
                case INT -> new JsonPrimitive(in.number());
                case BOOL -> new JsonPrimitive(in.number() != 0);
                case BYTES -> new JsonPrimitive(Base64.getEncoder().encodeToString(in.bytes()));
                case QUANTITY -> new JsonPrimitive(Group.of(in).text(1));
                case TIME -> time(Group.of(in), TIMES);
                case MICRO_TIME -> time(Group.of(in), MICRO_TIMES);
                case INT_OR_STRING -> intOrString(Group.of(in));
                case TEXTS -> texts(new ProtobufInput(in.bytes()));
                case JSON -> json(Group.of(in).text(1));
            };
        }

        /** The time of no seconds is none. */
        private static JsonElement time(Group time, DateTimeFormatter format) {
            if (time.number(1) == 0 && time.number(2) == 0) {
                return JsonNull.INSTANCE;
            }
            try {
                return new JsonPrimitive(format.format(Instant.ofEpochSecond(time.number(1), time.number(2))));
            } catch (DateTimeException | ArithmeticException e) {
                throw new MalformedMessageException("a time is out of range");
            }
        }

        private static JsonElement intOrString(Group either) {
            return either.number(1) == 0 ? new JsonPrimitive(either.number(2)) : new JsonPrimitive(either.text(3));
        }

        private static JsonArray texts(ProtobufInput in) {
            JsonArray texts = new JsonArray();
            for (int number = in.next(); number != 0; number = in.next()) {
                if (number == 1) {
                    texts.add(new String(in.bytes(), UTF_8));
                } else {
                    in.skip();
                }
            }
            return texts;
        }

        private static JsonElement json(String text) {
            try {
                return text.isEmpty() ? JsonNull.INSTANCE : JsonParser.parseString(text);
            } catch (JsonParseException e) {
                throw new MalformedMessageException("a field that holds JSON holds something else");
            }
        }

        private static DateTimeFormatter format(String pattern) {
            return DateTimeFormatter.ofPattern(pattern).withZone(ZoneOffset.UTC);
        }

        /** A message that JSON writes as a single value. */
        private record Group(Map<Integer, Long> numbers, Map<Integer, String> texts) {
            static Group of(ProtobufInput around) {
                Group group = new Group(new HashMap<>(), new HashMap<>());
                ProtobufInput in = new ProtobufInput(around.bytes());
                for (int number = in.next(); number != 0; number = in.next()) {
                    if (in.isNumber()) {
                        group.numbers.put(number, in.number());
                    } else if (in.isBytes()) {
                        group.texts.put(number, new String(in.bytes(), UTF_8));
                    } else {
                        in.skip();
                    }
                }
                return group;
            }

            long number(int field) {
                return numbers.getOrDefault(field, 0L);
            }

            String text(int field) {
                return texts.getOrDefault(field, "");
            }
        }
    }

    /** Bytes that are not the message that they were said to be. */
    static final class MalformedMessageException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        MalformedMessageException(String what) {
            super(what, null, false, false);
        }
    }

    /** The fields of a message, one after the other: first {@link #next()}, then the value of the field. */
    private static final class ProtobufInput {
        private static final int VARINT = 0;
        private static final int EIGHT_BYTES = 1;
        private static final int LENGTH_DELIMITED = 2;
        private static final int FOUR_BYTES = 5;
        private static final int LONGEST_VARINT = 64;

        private final byte[] bytes;
        private int at;
        private int wireType;

        ProtobufInput(byte[] bytes) {
            this.bytes = bytes;
        }

        /** The number of the next field; zero where there is none. */
        int next() {
            if (at == bytes.length) {
                return 0;
            }
            long tag = varint();
            wireType = (int) tag & 7;
            return (int) (tag >>> 3);
        }

        boolean isNumber() {
            return wireType == VARINT;
        }

        boolean isBytes() {
            return wireType == LENGTH_DELIMITED;
        }

        long number() {
            require(wireType == VARINT);
            return varint();
        }

        byte[] bytes() {
            require(wireType == LENGTH_DELIMITED);
            return take(varint());
        }

        void skip() {
            switch (wireType) {
                case VARINT -> varint();
                case EIGHT_BYTES -> take(8);
                case LENGTH_DELIMITED -> take(varint());
                case FOUR_BYTES -> take(4);
                default -> require(false);
            }
        }

        private byte[] take(long length) {
            require(length >= 0 && length <= bytes.length - at);
            at += (int) length;
            return Arrays.copyOfRange(bytes, at - (int) length, at);
        }

        private long varint() {
            long value = 0;
            for (int shift = 0; shift < LONGEST_VARINT; shift += 7) {
                require(at < bytes.length);
                byte next = bytes[at++];
                value |= (long) (next & 0x7f) << shift;
                if (next >= 0) {
                    return value;
                }
            }
            throw new MalformedMessageException("a number without end");
        }

        private static void require(boolean wellFormed) {
            if (!wellFormed) {
                throw new MalformedMessageException("unexpected end, or another type of field");
            }
        }
    }
}
