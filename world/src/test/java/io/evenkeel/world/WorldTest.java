package io.evenkeel.world;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.world.play.Choices;
import io.evenkeel.world.play.Shrinking;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Many worlds, each from a seed; one that goes wrong is made as small as it may be and told. {@code -Dworld.seed=N} plays one,
 * {@code -Dworld.seeds=N} so many, {@code -Dworld.log=true} lets the scheduler's log through.
 */
class WorldTest {
    private static final long SEEDS = Long.getLong("world.seeds", 300);
    private static final int RUNS_TO_SHRINK = Integer.getInteger("world.shrink", 300);
    private static final int LINES = Integer.getInteger("world.lines", 300);

    @BeforeAll
    static void beSilent() {
        SchedulerLog.silence();
    }

    @Test
    void whateverHappensNothingIsEverWrong() {
        Long one = Long.getLong("world.seed");
        LongStream seeds = one != null ? LongStream.of(one) : LongStream.rangeClosed(1, SEEDS);
        seeds.parallel().forEach(seed -> {
            World world = new World(Choices.ofSeed(seed));
            if (world.wrong().isPresent()) {
                throw new AssertionError("seed " + seed + ", made smaller:\n" + smallest(world.choices()));
            }
        });
    }

    @Test
    void theSameSeedIsTheSameStory() {
        for (long seed = 1; seed <= 10; seed++) {
            World world = new World(Choices.ofSeed(seed));
            World again = new World(Choices.ofSeed(seed));
            assertThat(world.wrong()).isEmpty();
            assertThat(again.wrong()).isEmpty();

            assertThat(again.story()).hasToString(world.story().toString());
            World repeated = new World(Choices.of(world.choices()));
            assertThat(repeated.wrong()).isEmpty();
            assertThat(repeated.story()).hasToString(world.story().toString());
        }
    }

    /** The story of the tamest run that goes wrong as this one does. */
    private static String smallest(List<Integer> choices) {
        List<Integer> fewest = Shrinking.of(
                choices, some -> new World(Choices.of(some)).wrong().isPresent(), RUNS_TO_SHRINK);
        World world = new World(Choices.of(fewest));
        Optional<Throwable> wrong = world.wrong();
        return world.story().end(LINES) + wrong.orElseThrow() + "\nby the choices " + fewest;
    }
}
