package io.evenkeel.tools.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.FeatureGates;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.rotation.Rotated;
import io.evenkeel.tools.replay.Replay.ScenarioEngines;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A profile that enables plugins at Filter and Score alone, and not at the points before, leads to the same nodes: what is
 * missing is worked out then, as the reference's VolumeZone, NodeAffinity, NodeResourcesFit and NodeResourcesBalancedAllocation
 * do. Others of the reference fail every pod.
 */
class PointsApartTest {
    private static final Map<String, Object> APART = Map.of(
            "apiVersion",
            "kubescheduler.config.k8s.io/v1",
            "kind",
            "KubeSchedulerConfiguration",
            "profiles",
            List.of(Map.of(
                    "plugins",
                    Map.of(
                            "preFilter", Map.of("disabled", List.of(Map.of("name", "*"))),
                            "preScore", Map.of("disabled", List.of(Map.of("name", "*")))))));

    private static final ScenarioEngines ENGINES = new ScenarioEngines(InTreePlugins.registry(), FeatureGates.DEFAULTS);

    @Rotated(3)
    @ParameterizedTest
    @ValueSource(
            strings = {
                "spread-hard",
                "spread-soft",
                "pod-affinity",
                "node-affinity",
                "taints",
                "resources",
                "ports",
                "preemption",
                "volumes",
                "mixed"
            })
    void leadToTheSameNodes(String theme) throws IOException {
        ScenarioReader reader = new ScenarioReader(Kinds.IN_TREE);
        for (String line : Corpora.lines(theme)) {
            Map<String, Object> tree = JsonTree.object(line);
            if (!tree.containsKey("config")) {
                Scenario usual = reader.read(line);
                tree.put("config", APART);
                Engine engine = engine(usual);
                Engine apart = engine(reader.read(JsonTree.text(tree)));
                for (Pod pod : usual.pods()) {
                    Step expected = PlacementAnswers.place(pod, engine, (_, _) -> {});
                    Step step = PlacementAnswers.place(pod, apart, (_, _) -> {});
                    String what = usual.name() + " " + pod.key();
                    assertThat(step.outcome()).as(what).isNotInstanceOf(Step.Outcome.Failed.class);
                    assertThat(new TreeSet<>(step.scores().keySet()))
                            .as(what)
                            .isEqualTo(new TreeSet<>(expected.scores().keySet()));
                    assertThat(placeOf(step)).as(what).isEqualTo(placeOf(expected));
                }
            }
        }
    }

    private static Engine engine(Scenario scenario) {
        Engine engine = ENGINES.of(scenario, SchedulerObserver.NONE);
        scenario.objects().forEach(engine::put);
        return engine;
    }

    /** The node, or the one where the pod may be once others are gone. */
    private static Optional<String> placeOf(Step step) {
        return switch (step.outcome()) {
            case Step.Outcome.Placed(String node, var _) -> Optional.of(node);
            case Step.Outcome.Waits waits -> waits.preemption().flatMap(Step.Preemption::nominatedNode);
            default -> Optional.empty();
        };
    }
}
