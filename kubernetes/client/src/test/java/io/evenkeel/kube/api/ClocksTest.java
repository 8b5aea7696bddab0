package io.evenkeel.kube.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class ClocksTest {
    private static final Instant BEGIN = Instant.parse("2026-11-26T12:00:07.300Z");

    private long now = Long.MAX_VALUE - 5; // as nanoTime may: it overflows at once

    @Test
    void timeBeginsNear0AndItsSecondsAreThoseOfTheTimeOfDay() {
        LongSupplier nanos = Clocks.sinceThisSecond(() -> now, () -> BEGIN);
        assertThat(Duration.ofNanos(nanos.getAsLong())).isEqualTo(Duration.ofMillis(300));

        now += TimeUnit.MILLISECONDS.toNanos(1_700);
        assertThat(Duration.ofNanos(nanos.getAsLong())).isEqualTo(Duration.ofSeconds(2));
    }
}
