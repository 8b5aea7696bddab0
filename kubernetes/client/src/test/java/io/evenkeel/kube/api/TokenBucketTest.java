package io.evenkeel.kube.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class TokenBucketTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void aBurstPassesAtOnceAndTheRestAtTheRate() {
        TokenBucket bucket = new TokenBucket(10, 3, 0);
        for (int i = 0; i < 3; i++) {
            assertThat(bucket.nanosUntilToken(0)).isZero();
            bucket.take(0);
        }

        assertThat(bucket.nanosUntilToken(0)).isEqualTo(SECOND / 10);
        assertThat(bucket.nanosUntilToken(SECOND / 10)).isZero();
    }

    @Test
    void aLongPauseSavesNoMoreThanABurst() {
        TokenBucket bucket = new TokenBucket(10, 2, 0);
        long later = 100 * SECOND;
        bucket.take(later);
        bucket.take(later);

        assertThat(bucket.nanosUntilToken(later)).isPositive();
    }

    @Test
    void aNegativeRateIsNoLimit() {
        TokenBucket bucket = new TokenBucket(-1, 0, 0);
        for (int i = 0; i < 10_000; i++) {
            bucket.take(0);
        }

        assertThat(bucket.nanosUntilToken(0)).isZero();
    }

    @Test
    void howeverSlowTheRateTheBurstPassesAndThenNoMore() {
        TokenBucket bucket = new TokenBucket(1e-30f, 2, 0);
        bucket.take(0);
        bucket.take(0);

        assertThat(bucket.nanosUntilToken(1_000_000 * SECOND)).isPositive();
    }

    @Test
    void howeverLargeTheBurstItPassesAtOnce() {
        TokenBucket bucket = new TokenBucket(0.001f, Integer.MAX_VALUE, 0);
        for (int i = 0; i < 1_000; i++) {
            bucket.take(0);
        }

        assertThat(bucket.nanosUntilToken(0)).isZero();
    }

    @Test
    void inNoSpanDoMorePassThanBurstAndRateAllow() {
        Random random = new Random(7);
        long now = Long.MAX_VALUE - SECOND; // System.nanoTime may overflow
        long begin = now;
        TokenBucket bucket = new TokenBucket(50, 10, now);
        int passed = 0;
        for (int i = 0; i < 10_000; i++) {
            now += random.nextLong(SECOND / 60);
            if (bucket.nanosUntilToken(now) == 0) {
                bucket.take(now);
                passed++;
            }
        }

        double seconds = (now - begin) / 1e9;
        assertThat(passed).isLessThanOrEqualTo((int) (10 + 50 * seconds)).isGreaterThan((int) (45 * seconds));
    }
}
