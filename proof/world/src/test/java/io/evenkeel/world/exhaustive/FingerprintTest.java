package io.evenkeel.world.exhaustive;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.rotation.Rotated;
import io.evenkeel.world.SchedulerLog;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** That worlds may be taken for one another that are taken for one another, as what follows is the same. */
class FingerprintTest {
    private static final int WALKS = Integer.getInteger("world.exhaustive.walks", 300);
    private static final int LONGEST = 7;
    private static final int FUTURE = 6;

    private final SplittableRandom random = new SplittableRandom(1);

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
    void worldsThatAreEqualHaveTheSameFuture(Scene scene) {
        Map<Fingerprint, List<Integer>> known = new HashMap<>();
        int pairs = 0;
        for (int walk = 0; walk < WALKS; walk++) {
            List<Integer> steps = new ArrayList<>();
            Fingerprint print = walk(scene, steps);
            List<Integer> other = known.putIfAbsent(print, steps);
            if (other != null && !other.equals(steps)) {
                pairs++;
                sameFuture(scene, other, steps);
            }
        }
        assertThat(pairs).isGreaterThan(WALKS / 20);
    }

    private Fingerprint walk(Scene scene, List<Integer> steps) {
        try (SmallWorld world = new SmallWorld(scene)) {
            int length = 2 + random.nextInt(LONGEST - 1);
            List<Step> choices = world.choices();
            while (steps.size() < length && !choices.isEmpty()) {
                int usual = world.usual().size();
                boolean goesWrong = usual == 0 || random.nextInt(8) == 0;
                int step = random.nextInt(goesWrong ? choices.size() : usual);
                steps.add(step);
                world.take(step);
                choices = world.choices();
            }
            return Fingerprint.of(world);
        }
    }

    private void sameFuture(Scene scene, List<Integer> one, List<Integer> other) {
        try (SmallWorld world = SmallWorld.after(scene, one);
                SmallWorld twin = SmallWorld.after(scene, other)) {
            for (int each = 0; each < FUTURE; each++) {
                List<Step> choices = sorted(world);
                List<Step> twins = sorted(twin);
                assertThat(described(twins))
                        .as("%s and %s", world.story(), twin.story())
                        .isEqualTo(described(choices));
                if (choices.isEmpty()) {
                    break;
                }
                int step = random.nextInt(choices.size());
                world.take(choices.get(step));
                twin.take(twins.get(step));
                assertThat(Fingerprint.text(twin))
                        .as("%s and %s", world.story(), twin.story())
                        .isEqualTo(Fingerprint.text(world));
            }
            assertThat(end(twin)).as("%s and %s", world.story(), twin.story()).isEqualTo(end(world));
        }
    }

    private static List<Step> sorted(SmallWorld world) {
        return world.choices().stream().sorted(Comparator.comparing(Step::what)).toList();
    }

    private static List<String> described(List<Step> steps) {
        return steps.stream().map(Step::what).toList();
    }

    /** How it comes to rest, in one state or the other. */
    private static String end(SmallWorld world) {
        new Calm(world).comes();
        return world.server().toString();
    }
}
