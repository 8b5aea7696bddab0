package io.evenkeel.app.record;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads what a {@link ByteWriter} has written; what is no such thing is an {@link IllegalArgumentException}. */
final class ByteReader {
    private final byte[] bytes;
    private final int end;
    private int at;

    ByteReader(byte[] bytes, int length) {
        this.bytes = bytes;
        this.end = length;
    }

    boolean isAtEnd() {
        return at == end;
    }

    int tag() {
        require(1);
        return bytes[at++] & 0xff;
    }

    long number() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int next = tag();
            value |= (next & 0x7fL) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw new IllegalArgumentException("a number has no end");
    }

    /** One that counts something in this very array or in a list of so many. */
    int count(int most) {
        long value = number();
        if (value < 0 || value > most) {
            throw new IllegalArgumentException("a count is " + value);
        }
        return (int) value;
    }

    int count() {
        return count(end - at);
    }

    long signed() {
        long value = number();
        return value >>> 1 ^ -(value & 1);
    }

    int fixed() {
        int value = 0;
        for (int shift = 0; shift < 32; shift += 8) {
            value |= tag() << shift;
        }
        return value;
    }

    String text() {
        return new String(raw(count()), StandardCharsets.UTF_8);
    }

    byte[] raw(int count) {
        require(count);
        at += count;
        return Arrays.copyOfRange(bytes, at - count, at);
    }

    private void require(int count) {
        if (end - at < count) {
            throw new IllegalArgumentException("an entry has no end");
        }
    }
}
