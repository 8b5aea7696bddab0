package io.evenkeel.kube.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LogThrottleTest {
    private final AtomicLong now = new AtomicLong();
    private final LogThrottle occurrences = new LogThrottle(Duration.ofNanos(10), now::get);
    private final List<Long> told = new ArrayList<>();

    @Test
    void theFirstIsToldAtOnceAndTheOthersOnceAPeriodByTheirNumber() {
        occurrences.tell(told::add);
        assertThat(told).isEmpty();
        for (int i = 0; i < 1001; i++) {
            occurrences.count(told::add);
            occurrences.tell(told::add);
        }
        assertThat(told).containsExactly(1L);
        now.set(10);
        occurrences.tell(told::add);
        occurrences.tell(told::add);
        assertThat(told).containsExactly(1L, 1000L);
    }

    @Test
    void whatComesWhenItIsTimeIsToldWithThoseBefore() {
        occurrences.count(told::add);
        occurrences.count(told::add);
        now.set(10);
        occurrences.count(told::add);
        assertThat(told).containsExactly(1L, 2L);
    }

    @Test
    void afterAQuietWhileOneIsTheFirstAgain() {
        occurrences.count(told::add);
        now.set(1000);
        occurrences.tell(told::add);
        assertThat(told).containsExactly(1L);
        occurrences.count(told::add);
        assertThat(told).containsExactly(1L, 1L);
    }
}
