package io.evenkeel.kube.watch;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Cuts a stream into its JSON objects by counting braces, so that an object that makes no sense costs only itself. What
 * stands between objects and is no white space makes a frame of its own, up to the line's end. For example:
 *
 * <pre>
 * the stream    {"object":{"a":"}"}}   oops    {"object":
 * depth         1         2   2   210    -       1
 * frames        |------- 1 --------|   |- 2 -|  broken off: EOFException
 * </pre>
 *
 * A brace within a string counts for nothing, so it must be known where strings begin and end; a quote after a backslash
 * ends none. O(bytes); the two buffers are kept for the next frame.
 */
final class JsonFraming {
    private static final int MOST_BYTES = 1 << 26;

    private final InputStream stream;
    private final byte[] input = new byte[1 << 14];
    private int next;
    private int end;
    private byte[] frame = new byte[1 << 14];
    private int length;

    JsonFraming(InputStream stream) {
        this.stream = stream;
    }

    /** Reads one frame; false at the stream's end. */
    boolean advance() throws IOException {
        length = 0;
        int first = firstOfFrame();
        if (first < 0) {
            return false;
        }
        if (first == '{') {
            readObject();
        } else {
            readLine(first);
        }
        return true;
    }

    /** The frame's bytes, which the next step overwrites; only {@link #length} of them count. */
    byte[] bytes() {
        return frame;
    }

    int length() {
        return length;
    }

    private int firstOfFrame() throws IOException {
        int b = read();
        while (b == ' ' || b == '\n' || b == '\r' || b == '\t') {
            b = read();
        }
        return b;
    }

    private void readObject() throws IOException {
        append('{');
        int depth = 1;
        boolean quoted = false;
        while (depth > 0) {
            int b = read();
            if (b < 0) {
                throw new EOFException("the stream broke off within an event");
            }
            append(b);
            if (quoted) {
                if (b == '\\') {
                    append(read());
                } else if (b == '"') {
                    quoted = false;
                }
            } else if (b == '"') {
                quoted = true;
            } else if (b == '{') {
                depth++;
            } else if (b == '}') {
                depth--;
            }
        }
    }

    private void readLine(int first) throws IOException {
        for (int b = first; b >= 0 && b != '\n'; b = read()) {
            append(b);
        }
    }

    private void append(int b) throws IOException {
        if (length == frame.length) {
            if (length >= MOST_BYTES) {
                throw new IOException("an event of more than " + MOST_BYTES + " bytes");
            }
            frame = Arrays.copyOf(frame, 2 * length);
        }
        frame[length++] = (byte) b;
    }

    private int read() throws IOException {
        if (next == end) {
            end = stream.read(input);
            next = 0;
            if (end <= 0) {
                end = 0;
                return -1;
            }
        }
        return input[next++] & 0xff;
    }
}
