package io.evenkeel.kube.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class OccurrencesTest {
    private final AtomicLong now = new AtomicLong();
    private final Occurrences occurrences = new Occurrences(Duration.ofNanos(10), now::get);

    @Test
    void theFirstIsToldAtOnceAndTheOthersOnceAPeriodByTheirNumber() {
        assertThat(occurrences.due()).isZero();
        occurrences.count();
        assertThat(occurrences.due()).isEqualTo(1);
        for (int i = 0; i < 1000; i++) {
            occurrences.count();
            assertThat(occurrences.due()).isZero();
        }
        now.set(10);
        assertThat(occurrences.due()).isEqualTo(1000);
        assertThat(occurrences.due()).isZero();
    }

    @Test
    void afterAQuietWhileOneIsTheFirstAgain() {
        occurrences.count();
        assertThat(occurrences.due()).isEqualTo(1);
        now.set(1000);
        assertThat(occurrences.due()).isZero();
        occurrences.count();
        assertThat(occurrences.due()).isEqualTo(1);
    }
}
