package io.evenkeel.app.http;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An answer, complete before its first byte is sent, so that a slow client holds up nothing but its own connection.
 *
 * @param headers beyond those about the content
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares replies
public record Reply(int code, String contentType, byte[] body, Map<String, String> headers) implements Answer {
    static final String TEXT = "text/plain; charset=utf-8";
    static final String JSON = "application/json";

    public static Reply text(int code, String text) {
        return of(code, TEXT, text);
    }

    public static Reply json(int code, String json) {
        return of(code, JSON, json);
    }

    public static Reply of(int code, String contentType, String content) {
        return new Reply(code, contentType, content.getBytes(StandardCharsets.UTF_8), Map.of());
    }

    /** The reply at a path where nothing is served. */
    static Reply notFound() {
        return text(404, "404 page not found\n");
    }

    static Reply notAllowed(String allowed) {
        return text(405, "Method Not Allowed\n").with("Allow", allowed);
    }

    public Reply with(String header, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(header, value);
        return new Reply(code, contentType, body, more);
    }
}
