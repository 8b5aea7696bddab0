package io.evenkeel.tools.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.config.Difference;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.rotation.Rotated;
import io.evenkeel.tools.output.Output;
import io.evenkeel.tools.replay.Replay.ScenarioEngines;
import io.evenkeel.tools.replay.Replay.StepAudit;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * How the levels differ: each {@link Difference} is shown by a scenario of its name in {@code levels.jsonl}, which tells the answer at
 * each level from which it is another; and no recorded problem is answered otherwise that none of them is about.
 */
class LevelsTest {
    /** What a scenario has in it that a difference is about, or a gate that has another default. */
    private static final Map<String, String> MARKS = Map.ofEntries(
            Map.entry("IMAGE_VOLUMES_COUNT", "\"reference\""),
            Map.entry("PREEMPTION_IS_TOLD", "\"preempt\""),
            Map.entry("NO_CLAIMS_NO_WORDS", "\"preempt\""),
            Map.entry("EMPTY_SPREAD_SELECTOR_COUNTS", "\"labelSelector\":{}"),
            Map.entry("EMPTY_BUDGET_SELECTOR_PROTECTS", "\"PodDisruptionBudget\""),
            Map.entry("RESIZED_AS_A_WHOLE", "\"allocatedResources\""),
            Map.entry("MISSING_KEY_IS_EXPLAINED", "\"expression\""),
            Map.entry("COUNTERS_COME_BACK", "\"consumesCounters\""),
            Map.entry("SHARES_DRAW_ONCE", "\"consumesCounters\""),
            Map.entry("DISTINCT_WITHIN_REQUESTS", "\"distinctAttribute\""),
            Map.entry("ALL_MEANS_USED_ONES_TOO", "\"allocationMode\":\"All\""),
            Map.entry("COUNTERS_HAVE_NODES", "\"sharedCounters\""),
            Map.entry("BAD_POOL_TURNS_AWAY", "\"allocationMode\":\"All\""),
            Map.entry("SHARED_IS_NOT_DEDICATED", "\"shareID\""),
            Map.entry("BARE_TAINT_RULE_TAINTS_NONE", "\"DeviceTaintRule\""),
            Map.entry("CAPACITY_BY_FULL_NAME", "\"capacity\":{\"requests\""),
            Map.entry("DRADeviceTaintRules", "\"DeviceTaintRule\""),
            Map.entry("DRAFractionalCapacityRange", "\"validRange\""),
            Map.entry("StorageCapacityScoring", "\"persistentVolumeClaim\""),
            Map.entry("VolumeLimitScaling", "\"preventPodSchedulingIfMissing\""));

    private static final String OF_DEVICES =
            "../scheduler-plugins/src/test/java/io/evenkeel/plugins/devices/AllocationTest.java";

    private static final String OF_METRICS =
            "../scheduler-app/src/test/java/io/evenkeel/app/metrics/MetricsContractTest.java";

    /** What no answer of a replay shows, and the test that plays it at each level. */
    private static final Map<Difference, String> ELSEWHERE = Map.ofEntries(
            Map.entry(
                    Difference.GATED_PODS_KEEP_ROOM,
                    "../scheduler-core/src/test/java/io/evenkeel/queue/PreemptorsTest.java"),
            Map.entry(
                    Difference.EXTENDERS_NAME_VICTIMS,
                    "../scheduler-plugins/src/test/java/io/evenkeel/plugins/live/ExtendersVictimsTest.java"),
            Map.entry(
                    Difference.POD_GROUP_POST_FILTER,
                    "../scheduler-app/src/test/java/io/evenkeel/app/cli/RunCommandTest.java"),
            Map.entry(
                    Difference.BINDINGS_ARE_RETRIED,
                    "../kubernetes/client/src/test/java/io/evenkeel/kube/dispatch/PodBinderTest.java"),
            Map.entry(Difference.CLAIMS_MADE_BY_OWNER, OF_METRICS),
            Map.entry(Difference.QUEUED_ENTITIES_COUNT, OF_METRICS),
            Map.entry(Difference.DURATIONS_ARE_BETA, OF_METRICS),
            Map.entry(Difference.EVENTS_NAME_THE_POD_ITSELF, OF_METRICS),
            Map.entry(Difference.DEVICE_CONFIGURATION_ONCE, OF_DEVICES),
            Map.entry(Difference.DEVICE_CONFIGURATION_OF_ALL, OF_DEVICES));

    /** By the level from which they are on. */
    private static final Map<String, CompatibilityLevel> GATES = Map.of(
            "DRADeviceTaintRules", CompatibilityLevel.V1_37,
            "DRAFractionalCapacityRange", CompatibilityLevel.V1_38,
            "StorageCapacityScoring", CompatibilityLevel.V1_37,
            "VolumeLimitScaling", CompatibilityLevel.V1_37);

    @ParameterizedTest
    @EnumSource
    void eachScenarioIsAnsweredAsItsLevelDoes(CompatibilityLevel level) throws IOException {
        for (Map.Entry<String, Map<CompatibilityLevel, String>> scenario :
                scenarios().entrySet()) {
            String line = latest(scenario.getValue(), level);
            assertThat(answer(line, level))
                    .as("%s at %s", scenario.getKey(), level)
                    .isEqualTo(views((List<?>) JsonTree.object(line).get("expected")));
        }
    }

    @ParameterizedTest
    @EnumSource
    void eachDifferenceIsShown(Difference difference) throws IOException {
        if (ELSEWHERE.containsKey(difference)) {
            assertThat(Path.of(ELSEWHERE.get(difference))).content().contains("{@link Difference#" + difference.name());
            return;
        }
        assertThat(scenarios().entrySet()).as("scenarios of %s", difference).anySatisfy(scenario -> {
            assertThat(scenario.getKey()).startsWith(difference.name() + "/");
            assertThat(scenario.getValue()).containsKey(difference.since());
        });
    }

    @Test
    void eachScenarioShowsADifference() throws IOException {
        Set<String> names = Arrays.stream(Difference.values())
                .filter(difference -> !ELSEWHERE.containsKey(difference))
                .map(Difference::name)
                .collect(Collectors.toSet());
        names.addAll(GATES.keySet());
        for (Map.Entry<String, Map<CompatibilityLevel, String>> scenario :
                scenarios().entrySet()) {
            assertThat(names).contains(scenario.getKey().split("/", -1)[0]);
            List<String> answers = scenario.getValue().values().stream()
                    .map(LevelsTest::expected)
                    .toList();
            assertThat(answers)
                    .as("%s", scenario.getKey())
                    .hasSizeGreaterThan(1)
                    .doesNotHaveDuplicates();
        }
        assertThat(MARKS).containsOnlyKeys(names);
    }

    @ParameterizedTest
    @EnumSource
    void eachDifferenceIsWrittenDown(Difference difference) throws IOException {
        assertThat(Files.readAllLines(Path.of("../docs/compatibility.md")))
                .contains("| " + difference.since() + " | [" + difference.pullRequest()
                        + "](https://github.com/kubernetes/kubernetes/pull/" + difference.pullRequest() + ") | "
                        + difference.part() + " | " + difference.change() + " |");
    }

    /** What the first level answers is the conformance test's. */
    @Rotated(3)
    @ParameterizedTest
    @MethodSource("io.evenkeel.tools.replay.Corpora#themes")
    void nothingElseDiffers(String theme) throws IOException {
        for (String line : Corpora.lines(theme)) {
            List<StepView> before = views((List<?>) JsonTree.object(line).get("expected"));
            for (CompatibilityLevel level : EnumSet.complementOf(EnumSet.of(CompatibilityLevel.FIRST))) {
                List<StepView> now = answer(line, level);
                if (!now.equals(before)) {
                    assertThat(changedAt(level))
                            .as(
                                    "%s answers otherwise at %s",
                                    JsonTree.object(line).get("name"), level)
                            .anyMatch(line::contains);
                }
                before = now;
            }
        }
    }

    private static List<String> changedAt(CompatibilityLevel level) {
        return MARKS.entrySet().stream()
                .filter(mark -> level
                        == (GATES.containsKey(mark.getKey())
                                ? GATES.get(mark.getKey())
                                : Difference.valueOf(mark.getKey()).since()))
                .map(Map.Entry::getValue)
                .toList();
    }

    /** By name, and by the level from which the answer is this one. */
    private static Map<String, Map<CompatibilityLevel, String>> scenarios() throws IOException {
        Map<String, Map<CompatibilityLevel, String>> scenarios = new LinkedHashMap<>();
        try (InputStream file =
                Objects.requireNonNull(LevelsTest.class.getResourceAsStream("/conformance/levels.jsonl"))) {
            for (String line : new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList()) {
                Map<String, Object> fields = JsonTree.object(line);
                CompatibilityLevel from =
                        CompatibilityLevel.of((String) fields.get("version")).orElseThrow();
                scenarios
                        .computeIfAbsent((String) fields.get("name"), _ -> new EnumMap<>(CompatibilityLevel.class))
                        .put(from, line);
            }
        }
        return scenarios;
    }

    private static String latest(Map<CompatibilityLevel, String> byLevel, CompatibilityLevel level) {
        return byLevel.entrySet().stream()
                .filter(from -> from.getKey().compareTo(level) <= 0)
                .reduce((_, later) -> later)
                .orElseThrow()
                .getValue();
    }

    private static String expected(String line) {
        try {
            return JsonTree.text(JsonTree.object(line).get("expected"));
        } catch (IOException unreadable) {
            throw new IllegalStateException(unreadable);
        }
    }

    /** Whatever level the line names itself. */
    private static List<StepView> answer(String line, CompatibilityLevel level) throws IOException {
        Map<String, Object> fields = new LinkedHashMap<>(JsonTree.object(line));
        fields.put("version", level.toString());
        Scenario scenario = new ScenarioReader(Kinds.IN_TREE).read(JsonTree.text(fields));
        ScenarioEngines engines = new ScenarioEngines(InTreePlugins.registry(), FeatureGates.DEFAULTS);
        PlacementAnswers answers = new PlacementAnswers(StepAudit.NONE, Output.JSON.within(80));
        Map<String, Object> answered =
                JsonTree.object(answers.answer(scenario, engines.of(scenario, SchedulerObserver.NONE), (_, _) -> {})
                        .getFirst());
        return views((List<?>) answered.getOrDefault("steps", List.of()));
    }

    @SuppressWarnings("unchecked")
    private static List<StepView> views(List<?> steps) {
        return steps.stream()
                .map(step -> StepView.of((Map<String, Object>) step))
                .toList();
    }
}
