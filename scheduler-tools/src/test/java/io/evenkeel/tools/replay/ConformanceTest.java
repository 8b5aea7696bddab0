package io.evenkeel.tools.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.FeatureGates;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.tools.output.Output;
import io.evenkeel.tools.replay.Replay.ScenarioEngines;
import io.evenkeel.tools.replay.Replay.StepAudit;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every step of every recorded problem is answered as the reference answered it, and the counts are right after it. */
class ConformanceTest {
    @ParameterizedTest
    @MethodSource("io.evenkeel.tools.replay.Corpora#themes")
    void answersAsTheReferenceDoes(String theme) throws IOException {
        ScenarioEngines engines = new ScenarioEngines(InTreePlugins.registry(), FeatureGates.DEFAULTS);
        PlacementAnswers answers = new PlacementAnswers(StepAudit.EACH, Output.JSON.within(80));
        ScenarioReader reader = new ScenarioReader(Kinds.IN_TREE);
        for (String line : Corpora.lines(theme)) {
            Map<String, Object> expected = JsonTree.object(line);
            Scenario scenario = reader.read(line);
            Engine engine = engines.of(scenario, SchedulerObserver.NONE);
            Map<String, Object> answered = JsonTree.object(
                    answers.answer(scenario, engine, (_, _) -> {}).getFirst());
            List<?> wanted = (List<?>) expected.getOrDefault("expected", List.of());
            List<?> got = (List<?>) answered.getOrDefault("steps", List.of());
            assertThat(wanted).as("steps of %s", expected.get("name")).isNotEmpty();
            assertThat(views(got)).as("%s", expected.get("name")).isEqualTo(views(wanted));
        }
    }

    @SuppressWarnings("unchecked")
    private static List<StepView> views(List<?> steps) {
        return steps.stream()
                .map(step -> StepView.of((Map<String, Object>) step))
                .toList();
    }
}
