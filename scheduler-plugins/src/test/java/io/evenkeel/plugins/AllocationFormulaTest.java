package io.evenkeel.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class AllocationFormulaTest {
    private static final RandomGenerator RANDOM = RandomGenerator.of("L64X128MixRandom");

    @Test
    void percentIsTheTruncatedQuotientOfInt64AroundEachStep() {
        for (int i = 0; i < 20_000; i++) {
            long capacity = RANDOM.nextLong(1, 1L << RANDOM.nextInt(1, 56));
            long step = capacity / 100 * RANDOM.nextInt(101);
            for (long part = Math.max(0, step - 2); part <= Math.min(capacity, step + 2); part++) {
                assertThat(AllocationFormula.percent(part, capacity))
                        .as("%d of %d", part, capacity)
                        .isEqualTo(part * 100 / capacity);
            }
        }
    }

    @Test
    void percentIsExactUpToTheGreatestCapacityDividedAsDoubles() {
        for (long capacity = AllocationFormula.EXACT_AS_DOUBLE - 50;
                capacity < AllocationFormula.EXACT_AS_DOUBLE + 50;
                capacity++) {
            for (int hundredths = 1; hundredths <= 100; hundredths++) {
                long justBelow = Math.ceilDiv(capacity * hundredths, 100) - 1;
                assertThat(AllocationFormula.percent(justBelow, capacity))
                        .as("%d of %d", justBelow, capacity)
                        .isEqualTo(hundredths - 1);
            }
        }
    }
}
