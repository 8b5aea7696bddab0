package io.evenkeel.tools.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.tools.observe.Comparison.TimeBudget;
import org.junit.jupiter.api.Test;

/** A share of the time, of which some can be saved up. */
class TimeBudgetTest {
    private final TimeBudget allowance = new TimeBudget(0.25, 1_000, 0);

    @Test
    void whatWasSavedIsThereAtOnceAndTheRestComesWithTime() {
        assertThat(allowance.isThere(0)).isTrue();
        allowance.take(2_000);
        assertThat(allowance.isThere(0)).isFalse();
        assertThat(allowance.isThere(4_000)).isFalse();
        assertThat(allowance.isThere(4_004)).isTrue();
    }

    @Test
    void noMoreIsSavedThanTheMost() {
        assertThat(allowance.isThere(1_000_000)).isTrue();
        allowance.take(1_000);
        assertThat(allowance.isThere(1_000_000)).isFalse();
    }
}
