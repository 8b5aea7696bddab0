package io.evenkeel.app.kube.watch;

import java.time.Duration;

/**
 * How long to wait before trying again: twice as long each time, and never quite the same, lest all schedulers and all
 * watches of a restarted server come back at once.
 */
final class Backoff {
    private static final long FIRST_MILLIS = 500;
    private static final long LONGEST_MILLIS = 30_000;

    private final Timing timing;
    private int failures;

    Backoff(Timing timing) {
        this.timing = timing;
    }

    /** Between one half and one and a half of the nominal time. */
    Duration next() {
        long nominal = Math.min(LONGEST_MILLIS, FIRST_MILLIS << Math.min(failures, 16));
        failures++;
        return Duration.ofMillis((long) (nominal * (0.5 + timing.random())));
    }

    int failures() {
        return failures;
    }

    void reset() {
        failures = 0;
    }
}
