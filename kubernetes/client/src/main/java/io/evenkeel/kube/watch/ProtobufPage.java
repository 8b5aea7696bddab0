package io.evenkeel.kube.watch;

import io.evenkeel.kube.watch.Decoder.ListPage;
import io.evenkeel.model.decode.cursor.ProtobufCursor;
import io.evenkeel.model.read.ProtobufObject;
import io.evenkeel.model.read.ProtobufReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * One page of a list as protobuf: {@code k8s\0}, then {@code Unknown{1: {1: apiVersion}, 2: {1: metadata, 2: item, 2:
 * item …}}}. The items do not say what they are.
 */
final class ProtobufPage {
    private static final byte[] MAGIC = {'k', '8', 's', 0};

    private final String kind;
    private final ProtobufReader reader;
    private final Consumer<WatchEvent> items;
    private final StreamPiece piece = new StreamPiece();
    private String apiVersion = "";
    private String version = "";
    private String token = "";

    ProtobufPage(String kind, ProtobufReader reader, Consumer<WatchEvent> items) {
        this.kind = kind;
        this.reader = reader;
        this.items = items;
    }

    ListPage read(InputStream body) throws IOException {
        for (byte expected : MAGIC) {
            if (body.read() != expected) {
                throw new IOException("expected a list, got something that does not begin with k8s and 0");
            }
        }
        ProtobufStream in = new ProtobufStream(body);
        while (in.next(Long.MAX_VALUE)) {
            switch (in.field()) {
                case 1 -> apiVersion = text(in.message(piece), 1, apiVersion);
                case 2 -> readList(in, in.enter());
                default -> in.skip();
            }
        }
        return new ListPage(version, token);
    }

    private void readList(ProtobufStream in, long end) throws IOException {
        while (in.next(end)) {
            switch (in.field()) {
                case 1 -> {
                    version = text(in.message(piece), 2, version);
                    token = text(piece.message(), 3, token);
                }
                case 2 -> {
                    in.message(piece);
                    ProtobufObject item = ProtobufObject.item(apiVersion, kind, piece.bytes(), 0, piece.length());
                    items.accept(WatchEvent.put(() -> reader.read(item), () -> reader.readHeader(item)));
                }
                default -> in.skip();
            }
        }
    }

    private static String text(ProtobufCursor in, int field, String otherwise) {
        String text = otherwise;
        while (in.next()) {
            if (in.field() == field) {
                text = in.string();
            }
        }
        return text;
    }

    /**
     * Walks over the fields of a protobuf message as it comes in, for messages too long to be held whole. After each step
     * the value is read, entered or skipped, each once.
     */
    static final class ProtobufStream {
        private static final int VARINT = 0;
        private static final int FIXED_64 = 1;
        private static final int LENGTH_DELIMITED = 2;
        private static final int FIXED_32 = 5;

        private final InputStream in;
        private long position;
        private int field;
        private int wireType;

        ProtobufStream(InputStream in) {
            this.in = in;
        }

        /** Steps to the next field of the message that ends at the position, or with the stream; false at its end. */
        boolean next(long end) throws IOException {
            if (position == end) {
                return false;
            }
            int first = in.read();
            if (first < 0) {
                if (end == Long.MAX_VALUE) {
                    return false;
                }
                throw brokenOff();
            }
            position++;
            long tag = varint(first);
            field = (int) (tag >>> 3);
            wireType = (int) tag & 7;
            if (position > end || tag >>> 32 != 0 || field == 0) {
                throw new IOException("protobuf: no field at byte " + position);
            }
            return true;
        }

        int field() {
            return field;
        }

        /** The value as a message of its own, in the piece. */
        ProtobufCursor message(StreamPiece piece) throws IOException {
            long length = length();
            piece.read(in, length);
            position += length;
            return piece.message();
        }

        /** Goes into the value; answers the position at which it ends. */
        long enter() throws IOException {
            long length = length();
            return position + length;
        }

        void skip() throws IOException {
            switch (wireType) {
                case VARINT -> varint();
                case FIXED_64 -> skip(8);
                case LENGTH_DELIMITED -> skip(length());
                case FIXED_32 -> skip(4);
                default -> throw new IOException("protobuf: no wire type " + wireType + " at byte " + position);
            }
        }

        private void skip(long length) throws IOException {
            in.skipNBytes(length);
            position += length;
        }

        private long length() throws IOException {
            if (wireType != LENGTH_DELIMITED) {
                throw new IOException(
                        "protobuf: field " + field + " is of wire type " + wireType + " at byte " + position);
            }
            long length = varint();
            if (length < 0 || length > Integer.MAX_VALUE) {
                throw new IOException("protobuf: a value of " + Long.toUnsignedString(length) + " bytes");
            }
            return length;
        }

        private long varint() throws IOException {
            return varint(readByte());
        }

        private long varint(int first) throws IOException {
            long value = first & 0x7f;
            int b = first;
            for (int shift = 7; b > 0x7f; shift += 7) {
                if (shift > 63) {
                    throw new IOException("protobuf: a number of more than 64 bits at byte " + position);
                }
                b = readByte();
                value |= (long) (b & 0x7f) << shift;
            }
            return value;
        }

        private int readByte() throws IOException {
            int b = in.read();
            if (b < 0) {
                throw brokenOff();
            }
            position++;
            return b;
        }

        private static EOFException brokenOff() {
            return new EOFException("the list broke off");
        }
    }

    /** A piece of a stream, with its length before it. The next one overwrites it. */
    static final class StreamPiece {
        private static final int MOST_BYTES = 1 << 26;

        private byte[] bytes = new byte[1 << 14];
        private int length;

        /**
         * Reads the piece. The buffer grows with what comes, not with what a length announces.
         *
         * @throws IOException if the stream breaks off, or if the length cannot be true: where the next piece begins is not
         *     known then
         */
        void read(InputStream stream, long announced) throws IOException {
            if (announced < 0 || announced > MOST_BYTES) {
                throw new IOException(
                        "frame of " + Long.toUnsignedString(announced) + " bytes exceeds the limit of " + MOST_BYTES);
            }
            length = 0;
            while (length < announced) {
                if (length == bytes.length) {
                    bytes = Arrays.copyOf(bytes, 2 * length);
                }
                int read = stream.readNBytes(bytes, length, (int) Math.min(announced, bytes.length) - length);
                if (read == 0) {
                    throw new EOFException("the stream broke off within an object");
                }
                length += read;
            }
        }

        byte[] bytes() {
            return bytes;
        }

        int length() {
            return length;
        }

        ProtobufCursor message() {
            return new ProtobufCursor(bytes, 0, length);
        }
    }
}
