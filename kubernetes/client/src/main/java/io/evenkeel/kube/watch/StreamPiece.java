package io.evenkeel.kube.watch;

import io.evenkeel.model.decode.cursor.ProtobufCursor;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** A piece of a stream, with its length before it. The next one overwrites it. */
final class StreamPiece {
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
