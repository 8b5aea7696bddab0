package io.evenkeel.queue;

import static io.evenkeel.model.build.PodBuilder.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.Pod;
import io.evenkeel.queue.QueueSettings.HintLimits;
import io.evenkeel.rotation.Rotation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Pods that need the extenders wait for each other, and nobody waits for them. */
class ExtendersTurnTest {
    private final QueueHarness test = new QueueHarness(new QueueSettings(
            Duration.ofSeconds(1),
            Duration.ofSeconds(10),
            Duration.ofMinutes(5),
            true,
            ExtendersTurnTest::needs,
            HintLimits.USUAL,
            QueueSettings.Neighbours.UNKNOWN,
            QueueSettings.Obstacles.UNKNOWN));

    private static boolean needs(Pod pod) {
        return pod.name().startsWith("gpu");
    }

    private Optional<String> pop(boolean extendersAreFree) {
        return test.queue
                .pop(test.now(), extendersAreFree, false)
                .map(attempt -> attempt.pod().name());
    }

    static LongStream seeds() {
        return Rotation.seeds(20);
    }

    /** What a list says that is sorted at each step. */
    @ParameterizedTest
    @MethodSource("seeds")
    void theFirstIsTakenOfThoseThatMayBe(long seed) {
        Random random = new Random(seed);
        List<Pod> twin = new ArrayList<>();
        for (int step = 0; step < 500; step++) {
            if (random.nextInt(5) < 3) {
                String name = (random.nextBoolean() ? "gpu-" : "web-") + step;
                Pod pod = pod(name).uid("u" + step).priority(random.nextInt(5)).build();
                test.add(pod);
                twin.add(pod);
            } else {
                boolean free = random.nextBoolean();
                Optional<String> expected = twin.stream()
                        .filter(pod -> free || !needs(pod))
                        .min(Comparator.comparingInt(pod -> -pod.spec().priority())) // the first of equal ones
                        .map(Pod::name);
                assertThat(pop(free)).isEqualTo(expected);
                expected.ifPresent(name -> twin.removeIf(pod -> pod.name().equals(name)));
            }
        }
        assertThat(test.queue.counts().active()).isEqualTo(twin.size());
        assertThat(test.queue.counts().needingExtenders())
                .isEqualTo((int) twin.stream().filter(ExtendersTurnTest::needs).count());
    }

    @Test
    void whereTheyAreBusyNoneOfThemIsTakenOutOfBackoffEither() {
        test.add(pod("gpu").build());
        test.queue.failed(test.pop(), test.now());
        test.add(pod("gpu-2").build());
        test.reject(test.pop(), QueueHarness.TAINTS);
        test.queue.activate("default/gpu-2", test.now());

        assertThat(pop(false)).isEmpty();
        assertThat(pop(true)).contains("gpu-2");
    }
}
