package io.evenkeel.plugins.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.rotation.Rotation;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What is kept from one preemptor to the next, and what filters say without being asked, leads to the answers of a twin that
 * keeps nothing and takes every pod away, whatever happens to the cluster in between. {@code -Devenkeel.seeds} runs more.
 */
@Execution(ExecutionMode.SAME_THREAD)
class PreemptionOracleTest {
    private static final int EVENTS = 80;

    private static int streams;
    private static int answers;
    private static int preemptions;

    static LongStream seeds() {
        return Rotation.seeds(200);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void thePluginAndItsTwinAgree(long seed) {
        CrowdedStream stream = new CrowdedStream(seed);
        for (int i = 0; i < EVENTS; i++) {
            stream.next();
            assertThat(stream.twins().differences).as("event %d", i).isEmpty();
        }
        assertThat(stream.audit()).isEmpty();
        streams++;
        answers += stream.twins().answers;
        preemptions += stream.twins().preemptions;
    }

    @AfterAll
    static void thereWasEnoughToSee() {
        assertThat(answers).isGreaterThan(streams * 10);
        assertThat(preemptions).isGreaterThan(streams * 3);
    }
}
