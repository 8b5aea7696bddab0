package io.evenkeel.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.evenkeel.world.SchedulerLog;
import io.evenkeel.world.World;
import io.evenkeel.world.play.Choices;
import org.junit.jupiter.api.BeforeAll;

/**
 * The whole live scheduler in a world where a byte is a choice: what happens next, to whom, how late and how wrong. The fuzzer
 * keeps those worlds that lead the scheduler where none has led it before.
 */
class WorldFuzzTest {

    @BeforeAll
    static void beSilent() {
        SchedulerLog.silence();
    }

    @FuzzTest
    void whateverHappensNothingIsEverWrong(byte[] bytes) {
        World world = new World(Choices.ofBytes(bytes));
        assertThat(world.wrong()).isEmpty();
    }
}
