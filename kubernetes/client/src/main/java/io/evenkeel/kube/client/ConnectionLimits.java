package io.evenkeel.kube.client;

import java.time.Duration;

/**
 * Time limits of a connection and of the calls on it.
 *
 * @param connect for a connection
 * @param call for a call's whole answer
 * @param ping between two signs of life of the network: HTTP/2 pings, TCP keep-alives; a dead peer is noticed within
 *     about three times as long
 * @param silence after which a stream without a byte counts as dead although its connection is not, where the call has no
 *     limits of its own
 */
record ConnectionLimits(Duration connect, Duration call, Duration ping, Duration silence) {
    public static final ConnectionLimits DEFAULT = new ConnectionLimits(
            Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(10), Duration.ofSeconds(130));
}
