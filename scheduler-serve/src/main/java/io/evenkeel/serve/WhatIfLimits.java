package io.evenkeel.serve;

import java.time.Duration;

/**
 * What clients may take of a server's memory and time.
 *
 * @param callsOfOne of one user at a time, a session being one
 * @param sessions of all users at a time
 * @param clusters of one session, its first and its forks
 * @param objects that these may have together, and changes that may have to be taken back
 * @param objectsOfAll that all sessions' own clusters may have
 * @param transactions that may be open in one of them
 * @param steps of one request
 * @param pods that one request may have scheduled
 * @param requestBytes of one request
 * @param responseBytes of one response
 * @param idle after which a session ends of which nothing is heard
 */
record WhatIfLimits(
        int callsOfOne,
        int sessions,
        int clusters,
        int objects,
        int objectsOfAll,
        int transactions,
        int steps,
        int pods,
        int requestBytes,
        int responseBytes,
        Duration idle) {
    static final WhatIfLimits USUAL = new WhatIfLimits(
            16, 64, 8, 500_000, 2_000_000, 64, 10_000, 100_000, 16 << 20, 16 << 20, Duration.ofMinutes(5));
}
