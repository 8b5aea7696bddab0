package io.evenkeel.serve;

import java.time.Duration;

/**
 * What clients may take of a server's memory and time.
 *
 * @param sessions of all users at a time
 * @param clusters of one session, its first and its forks
 * @param objects that these may have together, and changes that may have to be taken back
 * @param objectsOfAll that all sessions' own clusters may have
 * @param transactions that may be open in one of them
 * @param steps of one request
 * @param pods that one request may have scheduled
 * @param bytes of one request, and of one response
 * @param piece of a request on the server's cluster, after which others have their turns if nothing is changed there
 * @param idle after which a session ends of which nothing is heard
 */
record WhatIfLimits(
        Traffic traffic,
        int sessions,
        int clusters,
        int objects,
        int objectsOfAll,
        int transactions,
        int steps,
        int pods,
        int bytes,
        Duration piece,
        Duration idle) {
    static final WhatIfLimits USUAL = new WhatIfLimits(
            new Traffic(500, 100, Duration.ofSeconds(10), 96, 16, Duration.ofSeconds(30)),
            64,
            8,
            500_000,
            2_000_000,
            64,
            10_000,
            100_000,
            4 << 20,
            Duration.ofMillis(100),
            Duration.ofMinutes(5));

    /**
     * @param connections to all ports at a time
     * @param connectionsOfOne of these from one address
     * @param handshake by when a connection has to be set up
     * @param calls of all users at a time, a session being one
     * @param callsOfOne of one user
     * @param slowness after which a client is gone that does not take its answers
     */
    record Traffic(
            int connections, int connectionsOfOne, Duration handshake, int calls, int callsOfOne, Duration slowness) {}

    WhatIfLimits with(Traffic other) {
        return new WhatIfLimits(
                other, sessions, clusters, objects, objectsOfAll, transactions, steps, pods, bytes, piece, idle);
    }
}
