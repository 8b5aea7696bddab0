package io.evenkeel.app.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.feature.FeatureGates;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.plugins.InTreePlugins;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every step of every recorded problem is answered as the reference answered it, and the counts are right after it. */
class ConformanceTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "seeds",
                "spread-hard",
                "spread-soft",
                "spread-default",
                "pod-affinity",
                "node-affinity",
                "taints",
                "resources",
                "ports",
                "images",
                "preemption",
                "volumes",
                "mixed"
            })
    void answersAsTheReferenceDoes(String theme) throws IOException {
        Replay replay = new Replay(InTreePlugins.registry(), StepAudit.EACH, FeatureGates.DEFAULTS, AnswerFormat.JSON);
        ScenarioReader reader = new ScenarioReader(Kinds.IN_TREE);
        for (String line : lines(theme)) {
            Map<String, Object> expected = JsonTree.object(line);
            Map<String, Object> answered = JsonTree.object(replay.replay(reader.read(line), (_, _) -> {}));
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

    private static List<String> lines(String theme) throws IOException {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Objects.requireNonNull(
                        ConformanceTest.class.getResourceAsStream("/conformance/" + theme + ".jsonl.gz"))),
                StandardCharsets.UTF_8))) {
            return reader.lines().filter(line -> !line.isBlank()).toList();
        }
    }
}
