package io.evenkeel.app.kube;

import java.util.Map;
import java.util.Optional;

/**
 * A request to the API server.
 *
 * @param path begins with a slash and contains the query, encoded
 */
public record ApiCall(String method, String path, Map<String, String> headers, Optional<Body> body) {

    /** What is sent along. */
    public record Body(String contentType, String content) {}

    public static ApiCall get(String path) {
        return new ApiCall("GET", path, Map.of("Accept", "application/json"), Optional.empty());
    }

    public static ApiCall send(String method, String path, String contentType, String content) {
        return new ApiCall(
                method, path, Map.of("Accept", "application/json"), Optional.of(new Body(contentType, content)));
    }
}
