package io.evenkeel.kube.dispatch;

import io.evenkeel.kube.dispatch.DispatcherObserver.Drop;
import io.evenkeel.kube.dispatch.Job.Outcome;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Limits of retries: how often a call is made again, and after how long. */
final class Retries {
    static final int MOST_ATTEMPTS = 5;
    private static final Duration FIRST = Duration.ofMillis(250);
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private Retries() {}

    /** For a write that the engine needs no answer to. */
    static Outcome again(int attempts, Optional<Duration> retryAfter, String message) {
        return attempts + 1 < MOST_ATTEMPTS
                ? new Outcome.TryAgain(retryAfter, message)
                : new Outcome.Dropped(Drop.EXHAUSTED, message);
    }

    /** The delay that the server asks for, or one that doubles, and up to a quarter more so that not all come back at once. */
    static long delayNanos(int attempts, Optional<Duration> retryAfter, RandomGenerator random) {
        Duration wait = retryAfter.orElseGet(() -> FIRST.multipliedBy(1L << Math.min(attempts, 10)));
        long nanos = (wait.compareTo(LONGEST) < 0 ? wait : LONGEST).toNanos();
        return nanos + (long) (nanos * 0.25 * random.nextDouble());
    }
}
