package io.evenkeel.model.decode.cursor;

import java.util.Arrays;
import java.util.function.Function;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The values that bytes were decoded to, so that equal bytes are decoded once and share one value.
 *
 * <p>A table of rows of four: bytes belong to the row that their checksum names, the most recently used value of a row
 * stands first, and a fifth pushes out the last. A look-up costs one checksum (some 10 GB/s) and one comparison.
 *
 * <p>Whoever writes objects decides how large they are, so it keeps at most {@link #MOST_IN_ALL} bytes, of any one value at most
 * {@link #MOST_BYTES}. For one thread.
 */
public final class DecodedByBytes<T> {
    private static final int ROWS = 1 << 10;
    private static final int PER_ROW = 4;
    private static final int MOST_BYTES = 1 << 13;
    private static final int MOST_IN_ALL = 1 << 20;

    private final Function<ProtobufCursor, T> decoder;
    private final @Nullable Entry<T>[] entries;
    private int bytesInAll;
    private int next;

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    public DecodedByBytes(Function<ProtobufCursor, T> decoder) {
        this.decoder = decoder;
        this.entries = new Entry[ROWS * PER_ROW];
    }

    private static final class Entry<T> {
        private final int checksum;
        private final byte[] bytes;
        private final T value;

        Entry(int checksum, byte[] bytes, T value) {
            this.checksum = checksum;
            this.bytes = bytes;
            this.value = value;
        }

        boolean isFor(int otherChecksum, byte[] others, int from, int to) {
            return checksum == otherChecksum && Arrays.equals(bytes, 0, bytes.length, others, from, to);
        }
    }

    /** The value that the bytes in this range stand for. */
    T get(byte[] bytes, int from, int to) {
        if (to - from > MOST_BYTES) {
            return decoder.apply(new ProtobufCursor(bytes, from, to));
        }
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, to - from);
        int checksum = (int) crc.getValue();
        int first = (checksum & (ROWS - 1)) * PER_ROW;
        for (int i = first; i < first + PER_ROW; i++) {
            Entry<T> entry = entries[i];
            if (entry != null && entry.isFor(checksum, bytes, from, to)) {
                moveToFront(first, i, entry);
                return entry.value;
            }
        }
        T value = decoder.apply(new ProtobufCursor(bytes, from, to));
        makeRoom(first + PER_ROW - 1, to - from);
        byte[] key = Arrays.copyOfRange(bytes, from, to);
        moveToFront(first, first + PER_ROW - 1, new Entry<>(checksum, key, value));
        return value;
    }

    /** Empties the place, and others in their order while there are too many bytes. */
    private void makeRoom(int place, int bytes) {
        remove(place);
        while (bytesInAll + bytes > MOST_IN_ALL) {
            remove(next);
            next = (next + 1) % entries.length;
        }
        bytesInAll += bytes;
    }

    private void remove(int place) {
        Entry<T> entry = entries[place];
        if (entry != null) {
            bytesInAll -= entry.bytes.length;
            entries[place] = null;
        }
    }

    private void moveToFront(int first, int place, Entry<T> entry) {
        for (int i = place; i > first; i--) {
            entries[i] = entries[i - 1];
        }
        entries[first] = entry;
    }
}
