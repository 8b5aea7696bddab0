package io.evenkeel.world.net;

import io.evenkeel.hollow.StoreApi;
import io.evenkeel.world.life.Garbling;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

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

    static Reply of(StoreApi.Answer answer) {
        return new Reply(answer.code(), answer.contentType(), answer.retryAfterSeconds(), Garbling.sent(answer.body()));
    }

    /** So many bytes of the same. */
    Reply part(int bytes) {
        return new Reply(code, contentType, retryAfterSeconds, Arrays.copyOf(body, bytes));
    }

    /** A page that is meant for people, as proxies answer. */
    static Reply page(int code) {
        return new Reply(code, "text/html", 0, "<html>{not found, or found}</html>".getBytes(StandardCharsets.UTF_8));
    }

    static Reply refusal(int code, String reason, long retryAfterSeconds) {
        return refusal(code, reason, reason + " (simulated)", retryAfterSeconds);
    }

    static Reply refusal(int code, String reason, String message, long retryAfterSeconds) {
        String status = """
            {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"%s",\
            "reason":"%s","details":{"retryAfterSeconds":%d},"code":%d}
            """.formatted(message, reason, retryAfterSeconds, code);
        return new Reply(code, "application/json", retryAfterSeconds, status.getBytes(StandardCharsets.UTF_8));
    }
}
