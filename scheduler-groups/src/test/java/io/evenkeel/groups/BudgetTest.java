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

    @Test
    void theUsualOneIsHalfAsLargeOnSixtyFourNodesAndGrowsWithThePods() {
        assertThat(Budget.usual(0, 0)).isEqualTo(new Budget(200_000));
        assertThat(Budget.usual(0, 64)).isEqualTo(new Budget(100_000));
        assertThat(Budget.usual(10, 64)).isEqualTo(new Budget(100_040));
    }

    @Test
    void aLiveOneIsForAllPodsOnceWhereThatIsMoreThanATenthOfASecond() {
        assertThat(Budget.live(1, 0)).isEqualTo(new Budget(32_000, 32_000));
        assertThat(Budget.live(1_000, 340)).isEqualTo(new Budget(16_000, 16_000));
        assertThat(Budget.live(10_000, 340)).isEqualTo(new Budget(23_200, 23_200));
    }
}
