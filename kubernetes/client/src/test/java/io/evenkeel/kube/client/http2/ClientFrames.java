package io.evenkeel.kube.client.http2;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What the client sends, in words: type, stream, and what matters of the rest. */
final class ClientFrames {
    static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

    private ClientFrames() {}

    /** Takes it out of the buffer. */
    static List<String> take(FrameBuffer out) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            out.writeTo(bytes);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        out.clear();
        return told(ByteBuffer.wrap(bytes.toByteArray()));
    }

    private static List<String> told(ByteBuffer bytes) {
        List<String> told = new ArrayList<>();
        byte[] preface = PREFACE.getBytes(StandardCharsets.US_ASCII);
        if (bytes.remaining() >= preface.length && bytes.get(0) == 'P') {
            bytes.position(preface.length);
            told.add("preface");
        }
        while (bytes.hasRemaining()) {
            int length = bytes.getInt(bytes.position()) >>> 8;
            bytes.position(bytes.position() + 3);
            int type = bytes.get();
            int flags = bytes.get();
            int stream = bytes.getInt();
            byte[] payload = new byte[length];
            bytes.get(payload);
            told.add(word(type, flags, stream, payload));
        }
        return told;
    }

    private static String word(int type, int flags, int stream, byte[] payload) {
        String end = (flags & 1) != 0 ? " END" : "";
        return switch (type) {
            case 0 -> "DATA " + stream + " " + payload.length + end;
            case 1 -> "HEADERS " + stream + end;
            case 3 -> "RST_STREAM " + stream + " " + number(payload);
            case 4 -> end.isEmpty() ? "SETTINGS " + payload.length / 6 : "SETTINGS taken";
            case 6 -> "PONG " + payload.length;
            case 8 -> "WINDOW_UPDATE " + stream + " " + number(payload);
            case 9 -> "CONTINUATION " + stream;
            default -> "type " + type;
        };
    }

    private static int number(byte[] payload) {
        return ByteBuffer.wrap(payload).getInt();
    }
}
