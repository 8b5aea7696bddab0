package io.evenkeel.kube.client.http2;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** Bytes one after the other, in an array that grows and is used again. Not thread-safe. */
final class GrowingBytes {
    private static final int FIRST_CAPACITY = 4_096;

    private byte[] bytes = new byte[FIRST_CAPACITY];
    private int size;

    int size() {
        return size;
    }

    void clear() {
        size = 0;
    }

    /** The lowest eight bits. */
    void add(int value) {
        reserve(1);
        bytes[size++] = (byte) value;
    }

    void add(byte[] from, int offset, int length) {
        reserve(length);
        System.arraycopy(from, offset, bytes, size, length);
        size += length;
    }

    void add(GrowingBytes from, int offset, int length) {
        add(from.bytes, offset, length);
    }

    void writeTo(OutputStream out) throws IOException {
        out.write(bytes, 0, size);
    }

    byte[] toArray() {
        return Arrays.copyOf(bytes, size);
    }

    private void reserve(int more) {
        if (size + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(size + more, 2 * bytes.length));
        }
    }
}
