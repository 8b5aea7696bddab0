package io.evenkeel.kube.watch;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The wait before another try: twice as long each time, and never quite the same, lest all schedulers and all
 * watches of a restarted server come back at once.
 */
final class Backoff {
    private static final long FIRST_MILLIS = 500;
    private static final long LONGEST_MILLIS = 30_000;
    private static final long LONGEST_UNREACHED_MILLIS = 10_000;

    private final RandomGenerator random;
    private int failures;

    Backoff(RandomGenerator random) {
        this.random = random;
    }

    /** Between one half and one and a half of the nominal time. */
    Duration next() {
        return next(LONGEST_MILLIS);
    }

    /** The same for a server that was not reached: asking costs it nothing, and one that is back is to be noticed. */
    Duration nextUnreached() {
        return next(LONGEST_UNREACHED_MILLIS);
    }

    private Duration next(long longestMillis) {
        long nominal = Math.min(longestMillis, FIRST_MILLIS << Math.min(failures, 16));
        failures++;
        return Duration.ofMillis((long) (nominal * (0.5 + random.nextDouble())));
    }

    int failures() {
        return failures;
    }

    void reset() {
        failures = 0;
    }
}
