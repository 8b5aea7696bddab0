package io.evenkeel.app.http;

import java.time.Duration;

/**
 * Limits of what clients may hold, and of what they may have the server work out for them before it knows who they are.
 *
 * @param connections open at a time
 * @param handshakes begun a second, and as many at once after a pause
 * @param request from the connection's beginning, or the first byte of a later request, to the end of the request's headers
 * @param kept between an answer and the next request
 * @param stalled while the client takes nothing of an answer
 */
record Limits(int connections, int handshakes, Duration request, Duration kept, Duration stalled) {
    public static final Limits DEFAULT =
            new Limits(500, 100, Duration.ofSeconds(10), Duration.ofSeconds(60), Duration.ofSeconds(30));
}
