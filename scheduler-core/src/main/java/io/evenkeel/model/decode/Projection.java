package io.evenkeel.model.decode;

import java.util.Arrays;

/**
 * A message that is put together from some fields of another: those that are read. Two pods that differ only in the name
 * of a token's volume have equal projections, and what is decoded from one is good for both.
 *
 * <p>It is itself a well-formed message, but for the lengths of messages within, which are written with five bytes because
 * they are not known beforehand.
 */
final class Projection {
    private static final int LENGTH_BYTES = 5;

    private byte[] bytes = new byte[1 << 10];
    private int length;

    void clear() {
        length = 0;
    }

    /** Adds what is read of the message that the field's value is. */
    void addMessage(ProtobufCursor field, Message<?> table) {
        int before = length;
        int begun = begin(field.field());
        boolean anyInlined = addFields(table.rows(), table, field.message());
        if (table.isNothingWithoutInlined() && !anyInlined) {
            length = before;
        } else {
            end(begun);
        }
    }

    /** Adds the fields that have a row; answers whether any of an inlined message were among them. */
    private boolean addFields(Rows rows, Message<?> table, ProtobufCursor in) {
        boolean anyInlined = false;
        while (in.next()) {
            Field<?> field = rows.numbered(in.field());
            if (field != null) {
                field.project(in, this);
            } else if (in.field() == rows.inlinedNumber()) {
                int begun = begin(in.field());
                addFields(table.inlined(), table, in.message());
                anyInlined |= length > begun;
                end(begun);
            }
        }
        return anyInlined;
    }

    /** Adds a message of which it only matters that it is there. */
    void addEmpty(int field) {
        end(begin(field));
    }

    void add(byte[] source, int from, int to) {
        ensure(to - from);
        System.arraycopy(source, from, bytes, length, to - from);
        length += to - from;
    }

    /** Starts a message within; what is returned is for {@link #end}. */
    private int begin(int field) {
        ensure(2 * LENGTH_BYTES);
        putVarint((field << 3) | 2);
        length += LENGTH_BYTES;
        return length;
    }

    private void end(int begun) {
        int size = length - begun;
        for (int i = 0; i < LENGTH_BYTES; i++) {
            boolean last = i == LENGTH_BYTES - 1;
            bytes[begun - LENGTH_BYTES + i] = (byte) (((size >>> (7 * i)) & 0x7f) | (last ? 0 : 0x80));
        }
    }

    private void putVarint(int value) {
        int rest = value;
        for (; rest >= 0x80; rest >>>= 7) {
            bytes[length++] = (byte) (rest | 0x80);
        }
        bytes[length++] = (byte) rest;
    }

    private void ensure(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
        }
    }

    <T> T decoded(DecodedByBytes<T> known) {
        return known.get(bytes, 0, length);
    }
}
