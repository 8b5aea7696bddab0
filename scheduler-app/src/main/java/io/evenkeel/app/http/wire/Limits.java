package io.evenkeel.app.http.wire;

import java.time.Duration;

/**
 * Limits of what clients may hold.
 *
 * @param connections open at a time
 * @param request from the connection's beginning, or the first byte of a later request, to the end of the request's headers
 * @param kept between an answer and the next request
 * @param stalled while the client takes nothing of an answer
 */
public record Limits(int connections, Duration request, Duration kept, Duration stalled) {
    public static final Limits DEFAULT =
            new Limits(500, Duration.ofSeconds(10), Duration.ofSeconds(60), Duration.ofSeconds(30));
}
