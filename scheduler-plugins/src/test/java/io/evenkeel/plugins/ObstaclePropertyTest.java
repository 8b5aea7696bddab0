package io.evenkeel.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.engine.decision.Survey.Assessment;
import io.evenkeel.framework.cycle.LesserPods;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.rotation.Rotation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What is called an obstacle keeps a pod from a node even once all have gone from there that may have to go for it, and a
 * pod that is like it as well. {@code -Devenkeel.seed=7} runs one seed, {@code -Devenkeel.seeds=200} more of them.
 */
class ObstaclePropertyTest {
    private static final int STEPS = Integer.getInteger("evenkeel.steps", 400);
    private static final int WAITING = 4;

    private final Engine engine = new Engine(
            SchedulerConfiguration.defaults(),
            InTreePlugins.registry(),
            new FirstByName(),
            SchedulingCycle.Scoring.WHEN_NEEDED);
    private final Map<String, KubernetesObject> objects = new TreeMap<>();
    private int found;
    private int foundWhereOthersMayGo;

    static LongStream seeds() {
        return Rotation.seeds(12);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void itIsOneWhoeverGoes(long seed) {
        RandomObjects random = new RandomObjects(seed, 3);
        for (int step = 0; step < STEPS; step++) {
            random.change(objects)
                    .ifPresent(change -> change.after()
                            .ifPresentOrElse(
                                    engine::put,
                                    () -> engine.remove(change.before().orElseThrow())));
            for (int i = 0; i < WAITING; i++) {
                Pod pod = random.waitingPod(i);
                for (KubernetesObject object : objects.values()) {
                    if (object instanceof Node node) {
                        check(pod, node.name(), "seed %dL, step %d".formatted(seed, step));
                    }
                }
            }
        }
        assertThat(found).as("obstacles, or nothing was tested").isGreaterThan(STEPS);
        assertThat(foundWhereOthersMayGo)
                .as("of which for some pod others may go")
                .isGreaterThan(STEPS / 10);
    }

    private void check(Pod pod, String node, String where) {
        Optional<String> obstacle = obstacle(pod, node);
        Pod alike = PodBuilder.from(pod).name(pod.name() + "-twin").build();
        assertThat(obstacle(alike, node)).as(where).isEqualTo(obstacle);
        if (obstacle.isPresent()) {
            List<Pod> lesser = lesserOn(node, pod);
            found++;
            foundWhereOthersMayGo += lesser.isEmpty() ? 0 : 1;
            assertThat(engine.assess(pod, node, lesser))
                    .as("%s: %s has %s in its way on %s", where, pod, obstacle.get(), node)
                    .isInstanceOf(Assessment.Rejected.class);
        }
    }

    private Optional<String> obstacle(Pod pod, String node) {
        return engine.cluster().read(pod, admitted -> engine.obstacle(admitted, node));
    }

    private List<Pod> lesserOn(String node, Pod waiting) {
        PodTable pods = engine.cluster().pods();
        List<Pod> lesser = new ArrayList<>();
        int row = pods.firstOnNode(engine.cluster().nodes().find(node));
        for (; row != PodTable.NONE; row = pods.nextOnNode(row)) {
            if (LesserPods.isLesser(pods.pod(row), waiting)) {
                lesser.add(pods.pod(row));
            }
        }
        return lesser;
    }
}
