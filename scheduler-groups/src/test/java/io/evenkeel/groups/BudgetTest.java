package io.evenkeel.groups;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BudgetTest {
    @Test
    void whoAsksForAnyNumberOfStepsGetsAsMuchWorkAsThereIs() {
        assertThat(new Budget(1L << 40).work()).isEqualTo(1L << 44);
        for (long steps : new long[] {1L << 59, (1L << 60) + 1, Long.MAX_VALUE}) {
            assertThat(new Budget(steps).work()).as("%d steps", steps).isGreaterThan(Long.MAX_VALUE - 16);
        }
    }
}
