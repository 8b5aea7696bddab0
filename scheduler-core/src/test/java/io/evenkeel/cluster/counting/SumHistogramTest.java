package io.evenkeel.cluster.counting;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.counting.DomainCounter.SumHistogram;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SumHistogramTest {
    private final SumHistogram histogram = new SumHistogram();

    @Test
    void withoutDomainsTheMinimumIsZero() {
        assertThat(histogram.minimum()).isZero();
        histogram.enter(4, 1);
        histogram.leave(4);
        assertThat(histogram.minimum()).isZero();
    }

    @Test
    void theMinimumStepsUpWhenTheLastDomainLeavesIt() {
        histogram.enter(0, 1);
        histogram.enter(0, 1);
        histogram.enter(3, 1);

        histogram.move(0, 1);
        assertThat(histogram.minimum()).isZero();
        histogram.move(0, 2);
        assertThat(histogram.minimum()).isEqualTo(1);
        histogram.leave(1);
        assertThat(histogram.minimum()).isEqualTo(2);
    }

    @Test
    void theMinimumFollowsADomainDown() {
        histogram.enter(5, 1);
        histogram.move(5, 2);
        assertThat(histogram.minimum()).isEqualTo(2);
    }

    @Test
    void itIsTheSmallestOfAllSums() {
        SplittableRandom random = new SplittableRandom(1);
        List<Integer> sums = new ArrayList<>();
        for (int step = 0; step < 50_000; step++) {
            int choice = random.nextInt(sums.isEmpty() ? 1 : 8);
            if (choice == 0 && sums.size() < 12) {
                int sum = random.nextInt(5);
                sums.add(sum);
                histogram.enter(sum, 1);
            } else if (choice == 1) {
                histogram.leave(sums.remove(/* index */ random.nextInt(sums.size())));
            } else if (!sums.isEmpty()) {
                int domain = random.nextInt(sums.size());
                int after = Math.max(0, sums.get(domain) + random.nextInt(-2, 3));
                histogram.move(sums.get(domain), after);
                sums.set(domain, after);
            }
            if (!sums.isEmpty()) {
                int domain = random.nextInt(sums.size());
                int more = 1 + random.nextInt(3);
                List<Integer> supposed = new ArrayList<>(sums);
                supposed.set(domain, sums.get(domain) + more);
                assertThat(histogram.minimumIf(sums.get(domain), sums.get(domain) + more))
                        .isEqualTo(Collections.min(supposed));
            }
            assertThat(histogram.minimum()).isEqualTo(sums.isEmpty() ? 0 : (int) Collections.min(sums));
        }
    }
}
