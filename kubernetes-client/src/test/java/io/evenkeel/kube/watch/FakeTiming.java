package io.evenkeel.kube.watch;

import java.time.Duration;
import java.time.Instant;

/** A clock that moves only when it is told to, and chance without surprises. */
final class FakeTiming implements Timing {
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @Override
    public Instant now() {
        return now;
    }

    @Override
    public void sleep(Duration duration) {
        now = now.plus(duration);
    }

    @Override
    public double random() {
        return 0.5;
    }
}
