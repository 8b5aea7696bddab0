package io.evenkeel.world.exhaustive;

import io.evenkeel.kube.api.ApiAnswer;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** An answer in full. */
record Answer(int code, String text) implements ApiAnswer {
    static Answer of(String object) {
        return new Answer(200, object);
    }

    /** With the Status that says why not. */
    static Answer refusal(int code, String reason, String kind, String message) {
        return new Answer(code, """
            {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"%s","reason":"%s",\
            "details":{"kind":"%s"},"code":%d}\
            """.formatted(message.replace("\"", "\\\""), reason, kind, code));
    }

    @Override
    public String contentType() {
        return "application/json";
    }

    @Override
    public Optional<Duration> retryAfter() {
        return Optional.empty();
    }

    @Override
    public InputStream body() {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void cutOff() {}

    @Override
    public void close() {}
}
