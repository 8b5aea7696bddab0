package io.evenkeel.kube.client.http2;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** Reads frames off a connection, as many bytes at a time as there are. Not thread-safe. */
final class FrameReader {
    private static final int TYPE = 3;
    private static final int FLAGS = 4;
    private static final int STREAM = 5;

    private final InputStream in;
    private final byte[] buffer = new byte[4 * FrameBuffer.LARGEST_FRAME];
    private int from;
    private int end;

    FrameReader(InputStream in) {
        this.in = in;
    }

    /** Whether the next frame is there as a whole; a partial one may never be. */
    boolean hasMore() {
        int there = end - from;
        return there >= FrameBuffer.HEAD && there >= FrameBuffer.HEAD + length();
    }

    /** Of the payload of the frame that comes next. */
    private int length() {
        return (buffer[from] & 0xff) << 16 | (buffer[from + 1] & 0xff) << 8 | (buffer[from + 2] & 0xff);
    }

    /** The next frame; what the one before held is gone. */
    Frame next() throws IOException {
        fill(FrameBuffer.HEAD);
        int length = length();
        if (length > FrameBuffer.LARGEST_FRAME) {
            throw new BrokenConnectionException("a frame of " + length + " bytes, where " + FrameBuffer.LARGEST_FRAME
                    + " are allowed: is it an HTTP/2 server?");
        }
        fill(FrameBuffer.HEAD + length);
        Frame head = new Frame(buffer[from + TYPE], buffer[from + FLAGS], 0, buffer, from, FrameBuffer.HEAD);
        int stream = head.number(STREAM) & Integer.MAX_VALUE;
        Frame frame = new Frame(head.type(), head.flags(), stream, buffer, from + FrameBuffer.HEAD, length);
        from += FrameBuffer.HEAD + length;
        return frame;
    }

    private void fill(int needed) throws IOException {
        if (from == end) {
            from = 0;
            end = 0;
        } else if (from + needed > buffer.length) {
            System.arraycopy(buffer, from, buffer, 0, end - from);
            end -= from;
            from = 0;
        }
        while (end - from < needed) {
            int count = in.read(buffer, end, buffer.length - end);
            if (count < 0) {
                throw new EOFException("the server has closed the connection");
            }
            end += count;
        }
    }
}
