package io.evenkeel.kube.api;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * A request to the API server.
 *
 * @param path begins with a slash and contains the query, encoded
 * @param limits of a stream; as long as the transport has patience where absent
 */
public record ApiCall(
        String method, String path, Map<String, String> headers, Optional<Body> body, Optional<Limits> limits) {

    /**
     * How long a stream is waited for.
     *
     * @param first until its headers are there
     * @param silence between two bytes of its body
     * @param whole until its end, whatever comes; zero for a stream that may go on for ever
     */
    public record Limits(Duration first, Duration silence, Duration whole) {}

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

    /** Returns the call for a caller with less patience with a stream that says nothing. */
    public ApiCall withSilence(Duration limit) {
        return within(new Limits(limit, limit, Duration.ZERO));
    }

    public ApiCall within(Limits newLimits) {
        return new ApiCall(method, path, headers, body, Optional.of(newLimits));
    }
}
