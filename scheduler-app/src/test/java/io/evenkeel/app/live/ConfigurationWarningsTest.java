package io.evenkeel.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.live.LiveService.ConfigurationWarnings;
import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.testing.LogLines;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConfigurationWarningsTest {
    private static final SchedulerConfiguration DEFAULTS = SchedulerConfiguration.defaults();
    private static final LiveOptions USUAL = LiveOptions.usual("test");
    private static final LiveOptions DRY = new LiveOptions(true, false, Duration.ofMinutes(5), "test");
    private static final SchedulerConfiguration HARMLESS = DEFAULTS.toBuilder()
            .profiles(List.of(Profile.defaults().named("evenkeel")))
            .build();

    @Test
    void aProfileThatWouldRaceWithKubeSchedulerIsNamed() {
        assertThat(warnings(DEFAULTS, "", USUAL))
                .containsExactly("WARN A profile is named default-scheduler: do not run a kube-scheduler beside it"
                        + " [profile=\"default-scheduler\"]");
    }

    @Test
    void whoWritesNothingRacesWithNobody() {
        assertThat(warnings(DEFAULTS, "", DRY)).isEmpty();
    }

    @Test
    void aPluginThatIsDisabledAndThatThereIsNotIsNamedWithTheNearest() {
        String text = """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            profiles:
            - schedulerName: web
              plugins:
                score: {disabled: [{name: ImageLocalty}, {name: NodeAffinity}, {name: "*"}]}
                multiPoint: {disabled: [{name: CompletelyUnknownPlugin}, {name: DynamicResources}]}
            """;
        SchedulerConfiguration read = new ConfigurationReader().read("cfg.yaml", text);

        assertThat(warnings(read, text, USUAL))
                .containsExactly(
                        "WARN Configuration disables a plugin that there is not"
                                + " [profile=\"web\", plugin=\"CompletelyUnknownPlugin\"]",
                        "WARN Configuration disables a plugin that there is not"
                                + " [profile=\"web\", plugin=\"ImageLocalty; did you mean \"ImageLocality\"?\"]");
    }

    /** As scheduler-plugins publishes it. */
    @Test
    void thePointsOfAnotherCoschedulingAreNamed() {
        String text = """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            profiles:
            - schedulerName: gangs
              plugins:
                queueSort: {enabled: [{name: Coscheduling}], disabled: [{name: "*"}]}
                permit: {enabled: [{name: Coscheduling}]}
              pluginConfig:
              - {name: Coscheduling, args: {permitWaitingTimeSeconds: 10}}
            """;
        SchedulerConfiguration read = new ConfigurationReader().read("cfg.yaml", text);

        assertThat(logged(read, text, USUAL))
                .contains("INFO Coscheduling works at multiPoint, and these points have no effect [profile=\"gangs\","
                        + " points=\"[queueSort, permit]\","
                        + " why=\"a gang leaves the queue whole, and no pod waits on a node for others\"]");
    }

    @Test
    void aPointOfGroupsThatChangesNothingIsNamed() {
        SchedulerConfiguration read = new ConfigurationReader()
                .read("cfg.yaml", """
                    apiVersion: kubescheduler.config.k8s.io/v1
                    kind: KubeSchedulerConfiguration
                    profiles:
                    - schedulerName: gangs
                      plugins: {podGroupPostFilter: {disabled: [{name: "*"}]}}
                    - schedulerName: web
                    """).toBuilder()
                        .featureGates(FeatureGates.DEFAULTS.at(CompatibilityLevel.V1_37))
                        .build();

        assertThat(logged(read, "", USUAL))
                .filteredOn(line -> line.contains("podGroupPostFilter"))
                .containsExactly("INFO podGroupPostFilter has no effect [profile=\"gangs\","
                        + " why=\"the search for a gang finds who goes for it\"]");
    }

    @Test
    void argumentsThatChangeNothingAreNamedWhereTheyAreGiven() {
        String text = """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            profiles:
            - schedulerName: batch
              plugins: {multiPoint: {enabled: [{name: Coscheduling}]}}
              pluginConfig:
              - {name: Coscheduling, args: {permitWaitingTimeSeconds: 10, podGroupBackoffSeconds: 5}}
            - schedulerName: web
              plugins: {multiPoint: {enabled: [{name: Coscheduling}]}}
            """;
        SchedulerConfiguration configured = new ConfigurationReader().read("cfg.yaml", text);

        assertThat(logged(configured, text, USUAL))
                .filteredOn(line -> line.contains("arguments"))
                .containsExactly("INFO Plugin arguments have no effect [profile=\"batch\", plugin=\"Coscheduling\","
                        + " args=\"[permitWaitingTimeSeconds, podGroupBackoffSeconds]\"]");
    }

    @Test
    void featureGatesWithoutEffectAreNamed() {
        SchedulerConfiguration gated = HARMLESS.toBuilder()
                .featureGates(FeatureGates.with(Map.of("MemoryQoS", true, "TaintTolerationComparisonOperators", true)))
                .build();

        assertThat(logged(gated, "", USUAL)).contains("INFO Feature gates have no effect [gates=\"[MemoryQoS]\"]");
    }

    @Test
    void ofWhatIsHarmlessNothingIsSaid() {
        assertThat(logged(HARMLESS, "", USUAL)).isEmpty();
    }

    private static List<String> warnings(SchedulerConfiguration configuration, String text, LiveOptions options) {
        return logged(configuration, text, options).stream()
                .filter(line -> line.startsWith("WARN"))
                .toList();
    }

    private static List<String> logged(SchedulerConfiguration configuration, String text, LiveOptions options) {
        try (LogLines log = new LogLines(ConfigurationWarnings.class)) {
            ConfigurationWarnings.log(configuration, text, options, options.plugins());
            return log.lines();
        }
    }
}
