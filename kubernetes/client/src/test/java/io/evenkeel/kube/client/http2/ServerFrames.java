package io.evenkeel.kube.client.http2;

import io.evenkeel.kube.client.http2.CallConnection.FrameReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import okhttp3.internal.http2.Header;
import okhttp3.internal.http2.Hpack;
import okio.Buffer;

/** Frames as a server sends them, in bytes. Headers are coded by OkHttp. */
final class ServerFrames {
    static final int END_STREAM = 1;
    static final int END_HEADERS = 4;

    private ServerFrames() {}

    static byte[] frame(int type, int flags, int stream, byte... payload) {
        return ByteBuffer.allocate(9 + payload.length)
                .putShort((short) (payload.length >> 8))
                .put((byte) payload.length)
                .put((byte) type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload)
                .array();
    }

    static byte[] numbers(int... values) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * values.length);
        for (int value : values) {
            bytes.putInt(value);
        }
        return bytes.array();
    }

    static byte[] block(String... namesAndValues) {
        List<Header> headers = new ArrayList<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            headers.add(new Header(namesAndValues[i], namesAndValues[i + 1]));
        }
        Buffer block = new Buffer();
        try {
            new Hpack.Writer(0, block).writeHeaders(headers);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return block.readByteArray();
    }

    static byte[] headers(int stream, int status) {
        return frame(1, END_HEADERS, stream, block(":status", Integer.toString(status)));
    }

    /** An answer without a body. */
    static byte[] answer(int stream, int status) {
        return frame(1, END_HEADERS | END_STREAM, stream, block(":status", Integer.toString(status)));
    }

    static byte[] data(int stream, int flags, byte... content) {
        return frame(0, flags, stream, content);
    }

    static byte[] reset(int stream, int error) {
        return frame(3, 0, stream, numbers(error));
    }

    static byte[] setting(int id, int value) {
        return frame(
                4,
                0,
                0,
                ByteBuffer.allocate(6).putShort((short) id).putInt(value).array());
    }

    static byte[] goAway(int last) {
        return frame(7, 0, 0, numbers(last, 0));
    }

    static byte[] windowUpdate(int stream, int increment) {
        return frame(8, 0, stream, numbers(increment));
    }

    /** As they come in. */
    static Frame read(byte[] frame) throws IOException {
        return new FrameReader(new ByteArrayInputStream(frame)).next();
    }
}
