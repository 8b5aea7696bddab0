package io.evenkeel.app.companion;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.function.LongSupplier;

/**
 * The times that a companion goes by.
 *
 * @param nanos that only ever grow
 * @param settle how long something has to last before it is said
 */
public record Times(LongSupplier nanos, InstantSource wall, Duration settle) {
    public static final Duration USUAL_SETTLE = Duration.ofMinutes(1);

    public long now() {
        return nanos.getAsLong();
    }

    public Settling settling() {
        return settling(false);
    }

    /** Of what counts already, or does not. */
    public Settling settling(boolean counts) {
        return new Settling(settle.toNanos(), counts);
    }

    /** When that was, to the second. */
    public Instant at(long past) {
        return wall.instant().minusNanos(now() - past).truncatedTo(ChronoUnit.SECONDS);
    }

    /** How long ago that was, to the second. */
    public Duration since(long past) {
        return Duration.ofNanos(now() - past).truncatedTo(ChronoUnit.SECONDS);
    }
}
