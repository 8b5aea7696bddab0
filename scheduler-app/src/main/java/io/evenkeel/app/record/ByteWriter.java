package io.evenkeel.app.record;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Numbers, strings and bytes one after the other in an array that grows. */
final class ByteWriter {
    private byte[] bytes = new byte[1 << 16];
    private int length;

    int length() {
        return length;
    }

    byte[] array() {
        return bytes;
    }

    void clear() {
        length = 0;
    }

    void tag(int value) {
        ensure(1);
        bytes[length++] = (byte) value;
    }

    /** Small ones are short. */
    void number(long value) {
        ensure(10);
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            bytes[length++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[length++] = (byte) rest;
    }

    /** Writes numbers near 0 in few bytes, below it too. */
    void signed(long value) {
        number(value << 1 ^ value >> 63);
    }

    void fixed(int value) {
        ensure(4);
        for (int shift = 0; shift < 32; shift += 8) {
            bytes[length++] = (byte) (value >>> shift);
        }
    }

    void text(String value) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        number(utf8.length);
        raw(utf8, 0, utf8.length);
    }

    void raw(byte[] from, int begin, int count) {
        ensure(count);
        System.arraycopy(from, begin, bytes, length, count);
        length += count;
    }

    private void ensure(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
        }
    }
}
