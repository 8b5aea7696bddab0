package io.evenkeel.model.write;

import io.evenkeel.model.decode.Encoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * Writes protobuf into one array that grows. A message's length is known at its end, and what it holds is moved by the
 * bytes that the length takes: messages are short.
 */
final class ProtobufEncoder implements Encoder {
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
    public void quantity(String value) {
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
