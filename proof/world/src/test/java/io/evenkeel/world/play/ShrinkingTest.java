package io.evenkeel.world.play;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class ShrinkingTest {
    private static final int ENOUGH = 10_000;

    @Test
    void whatDoesNotMatterIsLeftOutAndTheRestMadeSmaller() {
        List<Integer> failing = List.of(3, 0, 9, 7, 1, 0, 2);

        assertThat(Shrinking.of(failing, run -> run.stream().anyMatch(choice -> choice > 4), ENOUGH))
                .containsExactly(5);
    }

    @Test
    void noMoreIsTriedThanIsAllowed() {
        List<Integer> failing = List.of(3, 0, 9, 7, 1, 0, 2);

        assertThat(Shrinking.of(failing, _ -> true, 0)).isEqualTo(failing);
    }

    @RepeatedTest(20)
    void whatIsFoundFailsAndNoSingleChoiceOfItCanBeSpared(RepetitionInfo info) {
        SplittableRandom random = new SplittableRandom(info.getCurrentRepetition());
        List<Integer> failing = random.ints(40, 0, 10).boxed().toList();
        int limit = failing.stream().mapToInt(Integer::intValue).sum() / 3;

        List<Integer> found = Shrinking.of(failing, run -> sum(run) >= limit, ENOUGH);

        assertThat(sum(found)).isEqualTo(limit);
        assertThat(found).doesNotContain(0);
    }

    private static int sum(List<Integer> run) {
        return run.stream().mapToInt(Integer::intValue).sum();
    }
}
