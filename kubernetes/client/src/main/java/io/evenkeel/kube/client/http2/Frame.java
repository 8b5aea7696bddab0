package io.evenkeel.kube.client.http2;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A frame that came in (RFC 9113, 4.1). Its payload is in the reader's buffer, and only until the next frame is read.
 *
 * @param from where in the buffer the payload begins
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares frames
record Frame(int type, int flags, int stream, byte[] buffer, int from, int length) {
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PUSH_PROMISE = 5;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int WINDOW_UPDATE = 8;
    static final int CONTINUATION = 9;

    static final int END_STREAM = 1;
    static final int ACK = 1;
    static final int END_HEADERS = 4;
    static final int PADDED = 8;
    static final int PRIORITY = 32;

    static final int HEADER_TABLE_SIZE = 1;
    static final int ENABLE_PUSH = 2;
    static final int MAX_CONCURRENT_STREAMS = 3;
    static final int INITIAL_WINDOW_SIZE = 4;

    /** Bytes of one. */
    static final int SETTING = Short.BYTES + Integer.BYTES;

    static final int REFUSED_STREAM = 7;
    static final int CANCEL = 8;

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final int PRIORITY_FIELDS = 5;

    boolean has(int flag) {
        return (flags & flag) != 0;
    }

    int number(int offset) throws BrokenConnectionException {
        if (offset + Integer.BYTES > length) {
            throw new BrokenConnectionException("a frame of type " + type + " is too short: " + length + " bytes");
        }
        return (int) INT.get(buffer, from + offset);
    }

    int twoBytes(int offset) throws BrokenConnectionException {
        return number(offset) >>> Short.SIZE;
    }

    /** Takes off padding and what else surrounds the content. */
    Frame content() throws BrokenConnectionException {
        int before = (has(PADDED) ? 1 : 0) + (type == HEADERS && has(PRIORITY) ? PRIORITY_FIELDS : 0);
        int after = has(PADDED) && length > 0 ? buffer[from] & 0xff : 0;
        if (before + after > length) {
            throw new BrokenConnectionException("a frame of type " + type + " has more padding than bytes");
        }
        return new Frame(type, flags, stream, buffer, from + before, length - before - after);
    }
}
