package io.evenkeel.kube.api;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * A request to the API server.
 *
 * @param path begins with a slash and contains the query, encoded
 * @param silence after which without a byte a stream is given up; as long as the transport has patience where absent
 */
public record ApiCall(
        String method, String path, Map<String, String> headers, Optional<Body> body, Optional<Duration> silence) {

    /** What is sent along. */
    public record Body(String contentType, String content) {}

    public ApiCall(String method, String path, Map<String, String> headers, Optional<Body> body) {
        this(method, path, headers, body, Optional.empty());
    }

    public static ApiCall get(String path) {
        return new ApiCall("GET", path, Map.of("Accept", "application/json"), Optional.empty());
    }

    public static ApiCall send(String method, String path, String contentType, String content) {
        return new ApiCall(
                method, path, Map.of("Accept", "application/json"), Optional.of(new Body(contentType, content)));
    }

    /** The same for a caller with less patience with a stream that says nothing. */
    public ApiCall withSilence(Duration limit) {
        return new ApiCall(method, path, headers, body, Optional.of(limit));
    }
}
