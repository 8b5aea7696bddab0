package io.evenkeel.cluster;

import static org.assertj.core.api.Assertions.fail;

import io.evenkeel.rotation.Rotation;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random events, and after each a full recount. {@code -Devenkeel.seed=7} runs one seed, {@code -Devenkeel.steps=1000000}
 * runs longer than a build should; a failure comes with its seed and the few events that it takes.
 */
class ClusterOracleTest {
    private static final int STEPS = Integer.getInteger("evenkeel.steps", 600);

    /** The same in each build; try others with {@code -Devenkeel.seed}. */
    static LongStream seeds() {
        return Rotation.seeds(10);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whatIsKeptEqualsARecountAfterEveryEvent(long seed) {
        List<ClusterEvent> events = new RandomEvents(seed).take(STEPS);
        if (ClusterDriver.failureOf(events).isEmpty()) {
            return;
        }
        List<ClusterEvent> shortest =
                new Shortener(shorter -> !ClusterDriver.failureOf(shorter).isEmpty()).shorten(events);
        fail(
                "seed %d fails:%n%s%nafter only:%n%s",
                seed,
                String.join("\n", ClusterDriver.failureOf(shortest)),
                shortest.stream().map(Object::toString).collect(Collectors.joining("\n")));
    }
}
