package io.evenkeel.kube.watch;

import io.evenkeel.kube.api.Clocks;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.api.Machine.Sleeper;
import java.time.Duration;
import java.time.Instant;

/** A clock that moves only when somebody sleeps, and chance without surprises. */
final class FakeTime implements Sleeper {
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
    private static final long ONE_HALF = Long.MIN_VALUE;

    private long now;

    Machine machine() {
        return new FakeMachine(new Clocks(() -> now, () -> BEGIN.plus(Duration.ofNanos(now)), () -> ONE_HALF), this);
    }

    @Override
    public void sleep(long nanos) {
        now += nanos;
    }
}
