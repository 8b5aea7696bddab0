package io.evenkeel.world.exhaustive;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.rotation.Rotated;
import io.evenkeel.world.SchedulerLog;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every story up to a length, of one scene in each build, and in some to one more; {@code -Dworld.exhaustive.depth=N} tells longer ones. */
class ExhaustiveTest {
    private static final int DEPTH = Integer.getInteger("world.exhaustive.depth", 4);

    static List<Scene> scenes() {
        return Scene.ALL;
    }

    @BeforeAll
    static void beSilent() {
        SchedulerLog.silence();
    }

    @Rotated(2)
    @ParameterizedTest
    @MethodSource("scenes")
    void noStoryGoesWrong(Scene scene) {
        assertNoneGoesWrong(scene, DEPTH);
    }

    @Rotated(8)
    @ParameterizedTest
    @MethodSource("scenes")
    void noLongerStoryGoesWrong(Scene scene) {
        assertNoneGoesWrong(scene, DEPTH + 1);
    }

    private static void assertNoneGoesWrong(Scene scene, int depth) {
        Search.Found found = Search.run(scene, depth);
        System.out.printf("%-22s %s%n", scene, found);
        assertThat(found.wrong()).isEmpty();
    }
}
