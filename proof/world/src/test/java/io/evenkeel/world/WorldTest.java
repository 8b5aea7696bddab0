package io.evenkeel.world;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.rotation.Rotated;
import io.evenkeel.rotation.Rotation;
import io.evenkeel.world.life.Features;
import io.evenkeel.world.play.Choices;
import io.evenkeel.world.play.Shrinking;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Many worlds, each from a seed; one that goes wrong is made as small as it may be and told. Some are the same in each build, and
 * some are others for each commit. {@code -Dworld.seed=N} plays one, {@code -Dworld.seeds=N} so many, from {@code -Dworld.from=N}
 * on; {@code -Dworld.log=true} lets the scheduler's log through.
 */
class WorldTest {
    /** Those from 1 on that a build plays a part of. */
    private static final int SAME = 100;

    private static final int PARTS = 10;

    /** Those of a commit, from a seed that its hash says. */
    private static final long OTHERS = 10;

    /** Each takes some five times as long as another. */
    private static final long SHARDED_AT_ONCE = 6;

    private static final Set<Features> SHARDED = Set.of(Features.SHARDS);

    private static final long FROM = Long.getLong("world.from", 1);
    private static final int RUNS_TO_SHRINK = Integer.getInteger("world.shrink", 300);
    private static final int LINES = Integer.getInteger("world.lines", 300);

    @BeforeAll
    static void beSilent() {
        SchedulerLog.silence();
    }

    @Test
    void whateverHappensNothingIsEverWrong() throws Exception {
        Long one = Long.getLong("world.seed");
        Long seeds = Long.getLong("world.seeds");
        if (one != null) {
            mustGoWell(one);
        } else if (seeds != null) {
            mustGoWell(FROM, seeds);
        } else {
            for (int part = 0; part < PARTS; part++) {
                if (Rotation.plays(part, PARTS)) {
                    mustGoWell(1 + part * (long) (SAME / PARTS), SAME / PARTS);
                }
            }
            mustGoWell(1 + OTHERS * (Rotation.commit() & 0x7fff_ffffL), OTHERS);
        }
    }

    private static void mustGoWell(long first, long seeds) throws Exception {
        OptionalLong wrong = Seeds.firstWrong(first, Math.addExact(first, seeds - 1));
        if (wrong.isPresent()) {
            mustGoWell(wrong.getAsLong());
        }
    }

    static LongStream seedsThatWentWrong() throws IOException {
        try (InputStream corpus = Objects.requireNonNull(WorldTest.class.getResourceAsStream("corpus.txt"))) {
            String text = new String(corpus.readAllBytes(), StandardCharsets.UTF_8);
            List<String> lines =
                    text.lines().filter(line -> !line.startsWith("#")).toList();
            return lines.stream().mapToLong(line -> Long.parseLong(line.split("\\s+", 2)[0]));
        }
    }

    /** Those that a mistake was found by. */
    @Rotated(3)
    @ParameterizedTest
    @MethodSource("seedsThatWentWrong")
    void whatOnceWentWrongGoesWell(long seed) {
        mustGoWell(seed);
    }

    private static void mustGoWell(long seed) {
        mustGoWell(seed, Set.of());
    }

    private static void mustGoWell(long seed, Set<Features> also) {
        World world = new World(Choices.ofSeed(seed), also);
        if (world.wrong().isPresent()) {
            throw new AssertionError("seed " + seed + ", made smaller:\n" + smallest(world.choices(), also)
                    + "\nto be played again by ./mvnw -q -Dquick -pl proof/world -am test -Dtest=WorldTest"
                    + " -Dsurefire.failIfNoSpecifiedTests=false -Dworld.seed=" + seed
                    + (also.isEmpty() ? "" : " -Dworld.with=SHARDS"));
        }
    }

    /** Worlds in which several engines share the nodes. */
    @Test
    void howeverNodesArePartedNothingIsEverWrong() {
        for (int part = 0; part < PARTS; part++) {
            if (Rotation.plays(part, PARTS)) {
                long first = 1 + part * SHARDED_AT_ONCE;
                LongStream.range(first, first + SHARDED_AT_ONCE).forEach(seed -> mustGoWell(seed, SHARDED));
            }
        }
    }

    @Test
    void theSameSeedIsTheSameStory() {
        for (long seed : Rotation.seeds(10).toArray()) {
            isTheSameStory(seed, Set.of());
        }
        isTheSameStory(Rotation.seeds(1).findFirst().orElseThrow(), SHARDED);
    }

    private static void isTheSameStory(long seed, Set<Features> also) {
        World world = new World(Choices.ofSeed(seed), also);
        World again = new World(Choices.ofSeed(seed), also);
        assertThat(world.wrong()).isEmpty();
        assertThat(again.wrong()).isEmpty();

        assertThat(again.story()).hasToString(world.story().toString());
        World repeated = new World(Choices.of(world.choices()), also);
        assertThat(repeated.wrong()).isEmpty();
        assertThat(repeated.story()).hasToString(world.story().toString());
    }

    /** The story of the tamest run that goes wrong as this one does. */
    private static String smallest(List<Integer> choices, Set<Features> also) {
        List<Integer> fewest = Shrinking.of(
                choices, some -> new World(Choices.of(some), also).wrong().isPresent(), RUNS_TO_SHRINK);
        World world = new World(Choices.of(fewest), also);
        Optional<Throwable> wrong = world.wrong();
        return world.story().end(LINES) + wrong.orElseThrow() + "\nby the choices " + fewest;
    }
}
