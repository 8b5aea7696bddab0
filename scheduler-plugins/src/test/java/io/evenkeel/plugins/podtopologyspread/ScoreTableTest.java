package io.evenkeel.plugins.podtopologyspread;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.plugins.podtopologyspread.SpreadScorer.SpreadFormula;
import io.evenkeel.plugins.podtopologyspread.SpreadScorer.SpreadFormula.ScoreTable;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What the table remembers is what the formula says, for one pod after the other. */
class ScoreTableTest {
    private static final int REMEMBERED_AT_MOST = 1 << 12;

    private final ScoreTable table = new ScoreTable();

    @Test
    void remembersNothingOfThePodBefore() {
        SplittableRandom random = new SplittableRandom(1);
        for (int pod = 0; pod < 500; pod++) {
            long min = random.nextLong(50);
            assertSaysWhatTheFormulaSays(min, min + random.nextLong(60));
        }
    }

    @Test
    void scoresThatLieFarApartAreRightToo() {
        for (long range = REMEMBERED_AT_MOST - 2; range <= REMEMBERED_AT_MOST + 2; range++) {
            assertSaysWhatTheFormulaSays(7, 7 + range);
        }
    }

    @Test
    void whereNoNodeIsScoredNothingHappens() {
        table.reset(Long.MAX_VALUE, 0);
        assertSaysWhatTheFormulaSays(0, 0);
    }

    private void assertSaysWhatTheFormulaSays(long min, long max) {
        table.reset(min, max);
        for (int time = 0; time < 2; time++) {
            for (long raw = min; raw <= max; raw++) {
                assertThat(table.scoreOf(raw))
                        .as("%d of %d to %d", raw, min, max)
                        .isEqualTo(SpreadFormula.normalize(raw, min, max));
            }
        }
    }
}
