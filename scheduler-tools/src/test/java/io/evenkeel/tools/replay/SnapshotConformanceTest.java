package io.evenkeel.tools.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.tools.replay.Replay.ScenarioEngines;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.SchedulingOptions;
import io.evenkeel.whatif.Verdict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A what-if answers every recorded problem as a replay does, which is held against the reference itself. It says nothing of what
 * preemption would do, which stands at the end of a replay's words.
 */
class SnapshotConformanceTest {
    private static final ScenarioEngines ENGINES = new ScenarioEngines(InTreePlugins.registry(), FeatureGates.DEFAULTS);

    /** In a replay a pod that is placed takes no devices, as the reference was recorded; in a what-if it does. */
    static List<String> themes() {
        return Corpora.themes().stream()
                .filter(theme -> !theme.equals("devices"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("themes")
    void aWhatIfAnswersAsAReplay(String theme) throws IOException {
        ScenarioReader reader = new ScenarioReader(Kinds.IN_TREE);
        for (String line : Corpora.lines(theme)) {
            Scenario scenario = reader.read(line);
            List<String> replayed = replayed(scenario);
            assertThat(theme.equals("volumes") ? supposedBeside(replayed, scenario) : supposed(scenario))
                    .as(scenario.name())
                    .zipSatisfy(replayed, (own, outcome) -> assertThat(outcome).startsWith(own));
        }
    }

    private static List<String> replayed(Scenario scenario) {
        Engine engine = ENGINES.of(scenario, SchedulerObserver.NONE);
        scenario.objects().forEach(engine::put);
        List<String> outcomes = new ArrayList<>();
        for (Pod pod : scenario.pods()) {
            outcomes.add(
                    switch (PlacementAnswers.place(pod, engine, (_, _) -> {}).outcome()) {
                        case Step.Outcome.Placed placed -> placed.node();
                        case Step.Outcome.Waits waits -> waits.message();
                        case Step.Outcome.Held held -> held.why();
                        case Step.Outcome.Failed failed -> failed.message();
                    });
        }
        return outcomes;
    }

    private static List<String> supposed(Scenario scenario) {
        SchedulerConfiguration configuration = ENGINES.configuration(scenario);
        ClusterSnapshot cluster = new ClusterSnapshot(configuration, InTreePlugins.registry());
        scenario.objects().forEach(cluster::put);
        return cluster.schedulePods(scenario.pods(), SchedulingOptions.USUAL).stream()
                .map(SnapshotConformanceTest::outcome)
                .toList();
    }

    /**
     * A replay binds no claims to volumes either, so each pod is supposed alone, beside those before it as if they had come so.
     */
    private static List<String> supposedBeside(List<String> replayed, Scenario scenario) {
        ClusterSnapshot cluster = new ClusterSnapshot(ENGINES.configuration(scenario), InTreePlugins.registry());
        scenario.objects().forEach(cluster::put);
        List<String> outcomes = new ArrayList<>();
        for (Pod pod : scenario.pods()) {
            try (ClusterSnapshot.Transaction _ = cluster.begin()) {
                outcomes.add(outcome(cluster.schedulePod(pod, SchedulingOptions.USUAL)));
            }
            String node = replayed.get(outcomes.size() - 1);
            if (cluster.nodes().stream().anyMatch(known -> known.name().equals(node))) {
                cluster.put(new Pod(pod.meta(), pod.spec().withNodeName(node), pod.status()));
            }
        }
        return outcomes;
    }

    private static String outcome(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Placed placed -> placed.node();
            case Verdict.Refused refused -> refused.message();
        };
    }
}
