package io.evenkeel.hollow.encoding;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/** The bytes of a message, field by field. Nested messages are written in place and get their length afterwards. */
final class ProtobufOutput {
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
