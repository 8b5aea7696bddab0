package io.evenkeel.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.evenkeel.app.metrics.Family.Families;
import io.evenkeel.app.metrics.Histogram.Bounds;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class HistogramTest {

    @Test
    void boundsAreTheReferencesToTheLastDigit() {
        assertThat(Bounds.exponentialSeconds(0.00001, 1.5, 20).shown())
                .contains(1.0E-5, 1.5000000000000002E-5, 0.02216837820053101, Double.POSITIVE_INFINITY)
                .hasSize(21);
    }

    @Test
    void aValueOnABoundIsWithinIt() {
        Bounds bounds = Bounds.exponentialSeconds(0.0001, 2, 12);

        assertThat(bounds.bucketOf(100_000)).isZero();
        assertThat(bounds.bucketOf(100_001)).isEqualTo(1);
        assertThat(bounds.bucketOf(6_400_000)).isEqualTo(6);
        assertThat(bounds.bucketOf(Long.MAX_VALUE)).isEqualTo(12);
    }

    @Test
    void countsAsItsNaiveTwinDoes() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Bounds bounds = Bounds.exponentialSeconds(0.001, 2, 15);
        Histogram histogram = new Histogram(bounds);
        long[] values = random.longs(10_000, 0, 40_000_000_000L).toArray();

        Arrays.stream(values).forEach(histogram::record);

        double[] shown = bounds.shown();
        long[] naive = new long[shown.length];
        for (long value : values) {
            int bucket = 0;
            while (value / 1e9 > shown[bucket]) {
                bucket++;
            }
            naive[bucket]++;
        }
        assertThat(histogram.counts()).as("seed " + seed).isEqualTo(naive);
        assertThat(histogram.sum()).isCloseTo(Arrays.stream(values).sum() / 1e9, within(1e-6));
    }

    @Test
    void aReaderNeverSeesACountThatIsNotTheSumOfTheBuckets() throws Exception {
        Families families = new Families();
        Histogram histogram = families.histogram("some_seconds", "Some.", Bounds.exponentialSeconds(0.001, 2, 15));
        CountDownLatch reading = new CountDownLatch(1);
        try (var executor = Executors.newSingleThreadExecutor()) {
            var written = executor.submit(() -> {
                reading.await();
                for (int i = 0; i < 2_000_000; i++) {
                    histogram.record(i * 10_000L);
                }
                return null;
            });
            reading.countDown();
            long before = 0;
            boolean last = false;
            while (!last) {
                last = written.isDone();
                var point = ((HistogramSnapshot) families.read().findFirst().orElseThrow())
                        .getDataPoints()
                        .getFirst();
                long sum = point.getClassicBuckets().stream()
                        .mapToLong(bucket -> bucket.getCount())
                        .sum();
                assertThat(point.getCount()).isEqualTo(sum).isGreaterThanOrEqualTo(before);
                before = sum;
            }
            written.get();
            assertThat(before).isEqualTo(2_000_000);
        }
    }

    @Test
    void threadsThatShareAHistogramLoseNothing() throws Exception {
        Histogram histogram = new Histogram(Bounds.exponentialCount(5));
        Count count = new Count();
        try (var executor = Executors.newFixedThreadPool(4)) {
            for (int thread = 0; thread < 4; thread++) {
                executor.execute(() -> {
                    for (int i = 0; i < 10_000; i++) {
                        histogram.recordShared(3);
                        count.addShared(1);
                    }
                });
            }
        }

        assertThat(histogram.counts()).containsExactly(0, 0, 40_000, 0, 0, 0);
        assertThat(count.get()).isEqualTo(40_000);
    }
}
