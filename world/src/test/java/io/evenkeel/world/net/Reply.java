package io.evenkeel.world.net;

import io.evenkeel.hollow.rest.request.ApiReply;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** An answer in full. */
final class Reply {
    private final int code;
    private final String contentType;
    private final long retryAfterSeconds;
    private final byte[] body;

    Reply(int code, String contentType, long retryAfterSeconds, byte[] body) {
        this.code = code;
        this.contentType = contentType;
        this.retryAfterSeconds = retryAfterSeconds;
        this.body = body;
    }

    int code() {
        return code;
    }

    String contentType() {
        return contentType;
    }

    long retryAfterSeconds() {
        return retryAfterSeconds;
    }

    byte[] body() {
        return body;
    }

    static Reply of(ApiReply reply) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            reply.content().writeTo(bytes);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        } catch (InterruptedException impossible) {
            throw new IllegalStateException(impossible);
        }
        return new Reply(reply.code(), reply.contentType(), reply.retryAfterSeconds(), bytes.toByteArray());
    }

    static Reply refusal(int code, String reason, long retryAfterSeconds) {
        String status = """
            {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"%s (simulated)",\
            "reason":"%s","details":{"retryAfterSeconds":%d},"code":%d}
            """.formatted(reason, reason, retryAfterSeconds, code);
        return new Reply(code, "application/json", retryAfterSeconds, status.getBytes(StandardCharsets.UTF_8));
    }
}
