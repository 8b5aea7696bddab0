package io.evenkeel.model.write;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.UnreadObject;
import io.evenkeel.model.decode.Encoder;
import io.evenkeel.model.decode.Field;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.decode.Metadata;
import io.evenkeel.model.decode.TableWriter;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.value.IntOrPercent;
import io.evenkeel.model.value.Quantity;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes objects by the tables that read them. Of an object there is only what scheduling reads, and so that is what is
 * written; reading it gives an equal record.
 *
 * <p>A plugin's table may leave out where its values are found: such a kind cannot be written, and {@link #unwritable} says
 * so beforehand. Immutable.
 *
 * @since 0.1
 */
public final class ObjectWriter {
    private final Map<String, Kind<?>> byName = new HashMap<>();

    /** Writes the kinds that Evenkeel knows itself. */
    public ObjectWriter() {
        this(Kinds.IN_TREE);
    }

    public ObjectWriter(Kinds kinds) {
        kinds.all().forEach(kind -> byName.put(kind.name(), kind));
    }

    /** Why objects of the kind cannot be written: the field with a row that does not say where it is found. */
    public static Optional<String> unwritable(Kind<?> kind) {
        return TableWriter.unwritable(kind.table()).map(Field::name);
    }

    /** As an API server answers it; of an {@link UnreadObject} its kind and metadata. */
    public String json(KubernetesObject object) {
        JsonEncoder out = new JsonEncoder();
        write(object, out);
        return out.toString();
    }

    /** The same as a {@link Tree} that can be changed, with amounts in the words of the API. */
    public Map<String, @Nullable Object> fields(KubernetesObject object) {
        TreeEncoder out = new TreeEncoder();
        write(object, out);
        return out.root;
    }

    private void write(KubernetesObject object, Encoder out) {
        out.beginMessage();
        if (object instanceof UnreadObject unread) {
            out.field("kind", 0);
            out.string(unread.kindName());
            TableWriter.writeFields(Metadata.IDENTITY, unread.meta(), out);
        } else {
            Kind<?> kind = known(object);
            out.field("apiVersion", 0);
            out.string(kind.apiVersion());
            out.field("kind", 0);
            out.string(kind.objectKind());
            TableWriter.writeFields(table(kind), object, out);
        }
        out.endMessage();
    }

    /** The message alone, without what says its kind. */
    public byte[] protobuf(KubernetesObject object) {
        ProtobufEncoder out = new ProtobufEncoder();
        if (object instanceof UnreadObject unread) {
            TableWriter.writeFields(Metadata.IDENTITY, unread.meta(), out);
        } else {
            TableWriter.writeFields(table(known(object)), object, out);
        }
        return out.toBytes();
    }

    private Kind<?> known(KubernetesObject object) {
        Kind<?> kind = byName.get(object.kindName());
        if (kind == null || !kind.type().isInstance(object)) {
            throw new IllegalArgumentException(object.kindName() + ": no kind that is read");
        }
        return kind;
    }

    @SuppressWarnings("unchecked") // the object is of the kind's own type
    private static Message<KubernetesObject> table(Kind<?> kind) {
        return (Message<KubernetesObject>) kind.table();
    }

    /** Writes JSON, without blanks. */
    private static final class JsonEncoder implements Encoder {
        private static final String HEXADECIMAL = "0123456789abcdef";

        private final StringBuilder out = new StringBuilder(256);

        @Override
        public void field(String name, int number) {
            entry(name);
        }

        @Override
        public void string(String value) {
            separate();
            quote(value);
        }

        @Override
        public void bool(boolean value) {
            separate();
            out.append(value);
        }

        @Override
        public void integer(long value) {
            separate();
            out.append(value);
        }

        @Override
        public void json(String value) {
            separate();
            out.append(value);
        }

        @Override
        public void beginList() {
            begin('[');
        }

        @Override
        public void endList() {
            out.append(']');
        }

        @Override
        public void beginMap() {
            begin('{');
        }

        @Override
        public void entry(String key) {
            separate();
            quote(key);
            out.append(':');
        }

        @Override
        public void endMap() {
            out.append('}');
        }

        @Override
        public void beginMessage() {
            begin('{');
        }

        @Override
        public void endMessage() {
            out.append('}');
        }

        private void begin(char bracket) {
            separate();
            out.append(bracket);
        }

        private void separate() {
            if (!out.isEmpty() && "[{:".indexOf(out.charAt(out.length() - 1)) < 0) {
                out.append(',');
            }
        }

        private void quote(String text) {
            out.append('"');
            for (int i = 0; i < text.length(); i++) {
                char character = text.charAt(i);
                if (character == '"' || character == '\\') {
                    out.append('\\').append(character);
                } else if (character < ' ' || Character.isSurrogate(character) || character == 0x7f) {
                    out.append("\\u");
                    for (int shift = 12; shift >= 0; shift -= 4) {
                        out.append(HEXADECIMAL.charAt((character >> shift) & 0xf));
                    }
                } else {
                    out.append(character);
                }
            }
            out.append('"');
        }

        @Override
        public String toString() {
            return out.toString();
        }
    }

    /** Makes maps, lists and scalars. */
    private static final class TreeEncoder implements Encoder {
        private final Map<String, @Nullable Object> root = new LinkedHashMap<>();
        /** The maps and lists that are not at their end. */
        private final Deque<Object> open = new ArrayDeque<>();

        private String name = "";

        @Override
        public void field(String fieldName, int number) {
            name = fieldName;
        }

        @Override
        public void string(String value) {
            put(value);
        }

        @Override
        public void bool(boolean value) {
            put(value);
        }

        @Override
        public void integer(long value) {
            put(value);
        }

        @Override
        public void quantity(Quantity value) {
            put(value.canonical());
        }

        @Override
        public void json(String value) {
            put(new Tree.Raw(value));
        }

        @Override
        public void beginList() {
            begin(new ArrayList<>());
        }

        @Override
        public void endList() {
            open.pop();
        }

        @Override
        public void beginMap() {
            begin(new LinkedHashMap<>());
        }

        @Override
        public void entry(String key) {
            name = key;
        }

        @Override
        public void endMap() {
            open.pop();
        }

        @Override
        public void beginMessage() {
            begin(open.isEmpty() ? root : new LinkedHashMap<>());
        }

        @Override
        public void endMessage() {
            open.pop();
        }

        private void begin(Object within) {
            put(within);
            open.push(within);
        }

        @SuppressWarnings("unchecked") // they are made here
        private void put(Object value) {
            switch (open.peek()) {
                case List<?> list -> ((List<Object>) list).add(value);
                case Map<?, ?> map -> ((Map<String, Object>) map).put(name, value);
                case null, default -> {}
            }
        }
    }

    /**
     * Writes protobuf into one array that grows. A message's length is known at its end, and what it holds is moved by the
     * bytes that the length takes: messages are short.
     */
    private static final class ProtobufEncoder implements Encoder {
        private static final int VARINT = 0;
        private static final int BYTES = 2;

        private record Open(int number, int start) {}

        private byte[] out = new byte[256];
        private int length;
        private int number;
        private final Deque<Open> open = new ArrayDeque<>();

        @Override
        public void field(String name, int itsNumber) {
            number = itsNumber;
        }

        @Override
        public void string(String value) {
            byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
            tag(BYTES);
            varint(bytes.length);
            ensure(bytes.length);
            System.arraycopy(bytes, 0, out, length, bytes.length);
            length += bytes.length;
        }

        @Override
        public void bool(boolean value) {
            integer(value ? 1 : 0);
        }

        @Override
        public void integer(long value) {
            tag(VARINT);
            varint(value);
        }

        @Override
        public void intOrPercent(IntOrPercent value) {
            begin(number);
            if (value.isPercent()) {
                number = 1;
                integer(1);
                number = 3;
                string(value.toString());
            } else {
                number = 2;
                integer(value.number());
            }
            end();
        }

        @Override
        public void quantity(Quantity value) {
            json(value.toString());
        }

        @Override
        public void json(String value) {
            begin(number);
            number = 1;
            string(value);
            end();
        }

        @Override
        public void time(String value) {
            begin(number);
            number = 1;
            integer(Instant.parse(value).getEpochSecond());
            end();
        }

        @Override
        public void entry(String key) {
            begin(number);
            number = 1;
            string(key);
            number = 2;
        }

        @Override
        public void endEntry() {
            end();
        }

        @Override
        public void beginMessage() {
            begin(number);
        }

        @Override
        public void endMessage() {
            end();
        }

        @Override
        public void beginInlined(int inlinedNumber) {
            begin(inlinedNumber);
        }

        @Override
        public void endInlined() {
            end();
        }

        byte[] toBytes() {
            return Arrays.copyOf(out, length);
        }

        private void begin(int itsNumber) {
            number = itsNumber;
            tag(BYTES);
            open.push(new Open(number, length));
        }

        private void end() {
            Open message = open.pop();
            int size = length - message.start();
            int lengthBytes = varintSize(size);
            ensure(lengthBytes);
            System.arraycopy(out, message.start(), out, message.start() + lengthBytes, size);
            length = message.start();
            varint(size);
            length += size;
            number = message.number();
        }

        private void tag(int wireType) {
            varint((long) number << 3 | wireType);
        }

        private void varint(long value) {
            ensure(10);
            long rest = value;
            while ((rest & ~0x7fL) != 0) {
                out[length++] = (byte) (rest | 0x80);
                rest >>>= 7;
            }
            out[length++] = (byte) rest;
        }

        private static int varintSize(long value) {
            return Math.max(1, (70 - Long.numberOfLeadingZeros(value)) / 7);
        }

        private void ensure(int more) {
            if (length + more > out.length) {
                out = Arrays.copyOf(out, Math.max(2 * out.length, length + more));
            }
        }
    }
}
