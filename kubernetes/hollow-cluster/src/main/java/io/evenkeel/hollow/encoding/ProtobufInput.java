package io.evenkeel.hollow.encoding;

import java.util.Arrays;

/** The fields of a message, one after the other: first {@link #next()}, then the value of the field. */
final class ProtobufInput {
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
