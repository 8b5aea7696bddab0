package io.evenkeel.app.record;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * How a segment is laid out: a line that says what it is, then frames. The first frame is the header as JSON; the others are
 * pieces of one deflated stream of entries, and each ends where an entry ends.
 *
 * <pre>
 *   "evenkeel record 1\n"
 *   length (4)   checksum of number and length (4)   checksum of the piece (4)   the piece
 *   ...
 * </pre>
 *
 * The length has a checksum of its own: so a frame that was not written to its end is told from one that was changed.
 */
final class Frames {
    static final byte[] MAGIC = "evenkeel record 1\n".getBytes(StandardCharsets.US_ASCII);
    static final int HEAD = 12;

    /** Of a frame, packed or not. */
    static final int LONGEST = 1 << 26;

    private Frames() {}

    /** @throws IOException if it is longer than a reader accepts */
    static byte[] head(int number, byte[] piece, int length) throws IOException {
        requireShort(length);
        return ByteBuffer.allocate(HEAD)
                .putInt(length)
                .putInt(headSum(number, length))
                .putInt(sum(piece, length))
                .array();
    }

    /** @throws IOException if a reader would not accept so many bytes */
    static void requireShort(int length) throws IOException {
        if (length > LONGEST) {
            throw new IOException("a frame of " + length + " bytes is longer than a record may have, " + LONGEST);
        }
    }

    static int headSum(int number, int length) {
        byte[] both = ByteBuffer.allocate(8).putInt(number).putInt(length).array();
        return sum(both, both.length);
    }

    static int sum(byte[] bytes, int length) {
        CRC32C sum = new CRC32C();
        sum.update(bytes, 0, length);
        return (int) sum.getValue();
    }
}
