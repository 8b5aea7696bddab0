package io.evenkeel.kube.client.http2;

import java.io.IOException;
import java.io.OutputStream;

/** Frames that are yet to be sent, as bytes (RFC 9113, 4 and 6). Grows as needed. Not thread-safe. */
final class FrameBuffer {
    static final int HEAD = 9;
    static final int LARGEST_FRAME = 16_384;

    private final GrowingBytes bytes = new GrowingBytes();

    boolean isEmpty() {
        return size() == 0;
    }

    int size() {
        return bytes.size();
    }

    void clear() {
        bytes.clear();
    }

    void writeTo(OutputStream out) throws IOException {
        bytes.writeTo(out);
        out.flush();
    }

    void raw(byte[] content) {
        bytes.add(content, 0, content.length);
    }

    /** Pairs of a setting and its value. */
    void settings(int... pairs) {
        head(pairs.length / 2 * Frame.SETTING, Frame.SETTINGS, 0, 0);
        for (int i = 0; i < pairs.length; i += 2) {
            bytes.add(pairs[i] >> 8);
            bytes.add(pairs[i]);
            number(pairs[i + 1]);
        }
    }

    void settingsTaken() {
        head(0, Frame.SETTINGS, Frame.ACK, 0);
    }

    void pong(byte[] payload) {
        head(payload.length, Frame.PING, Frame.ACK, 0);
        raw(payload);
    }

    void windowUpdate(int stream, int increment) {
        head(Integer.BYTES, Frame.WINDOW_UPDATE, 0, stream);
        number(increment);
    }

    void reset(int stream, int error) {
        head(Integer.BYTES, Frame.RST_STREAM, 0, stream);
        number(error);
    }

    /** Headers, in as many frames as they need. */
    void headers(int stream, GrowingBytes block, boolean isAll) {
        int type = Frame.HEADERS;
        int sent = 0;
        do {
            int part = Math.min(block.size() - sent, LARGEST_FRAME);
            int flags = (type == Frame.HEADERS && isAll ? Frame.END_STREAM : 0)
                    | (sent + part == block.size() ? Frame.END_HEADERS : 0);
            head(part, type, flags, stream);
            bytes.add(block, sent, part);
            sent += part;
            type = Frame.CONTINUATION;
        } while (sent < block.size());
    }

    void data(int stream, byte[] body, int from, int length, boolean isLast) {
        head(length, Frame.DATA, isLast ? Frame.END_STREAM : 0, stream);
        bytes.add(body, from, length);
    }

    private void head(int length, int type, int flags, int stream) {
        bytes.add(length >> 16);
        bytes.add(length >> 8);
        bytes.add(length);
        bytes.add(type);
        bytes.add(flags);
        number(stream);
    }

    private void number(int value) {
        bytes.add(value >> 24);
        bytes.add(value >> 16);
        bytes.add(value >> 8);
        bytes.add(value);
    }
}
