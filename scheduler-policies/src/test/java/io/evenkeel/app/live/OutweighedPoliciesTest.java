package io.evenkeel.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.live.LiveService.ConfigurationWarnings;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.testing.LogLines;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The start warns of a weight by which policies do not outweigh the other plugins. */
class OutweighedPoliciesTest {
    @Test
    void policiesWithTheirUsualWeightOutweighTheDefaultPlugins() {
        assertThat(policyWarnings("{name: PlacementPolicy}", "")).isEmpty();
        assertThat(policyWarnings("{name: PlacementPolicy, weight: 1501}", "")).isEmpty();
    }

    @Test
    void policiesThatAreOnePreferenceAmongOthersAreNamed() {
        assertThat(policyWarnings("{name: PlacementPolicy, weight: 1500}", ""))
                .containsExactly("WARN Preferences of policies do not outweigh all others"
                        + " [profile=\"evenkeel\", weight=\"1500\", othersGiveUpTo=\"1500\"]");
        assertThat(policyWarnings("{name: PlacementPolicy}, {name: ImageLocality, weight: 100}", ""))
                .containsExactly("WARN Preferences of policies do not outweigh all others"
                        + " [profile=\"evenkeel\", weight=\"10000\", othersGiveUpTo=\"11400\"]");
    }

    @Test
    void extendersThatGiveScoresAreAmongTheOthers() {
        String filtering = "{urlPrefix: http://x, filterVerb: f}";
        String scoring = "{urlPrefix: http://x, prioritizeVerb: p, weight: 100}";

        assertThat(policyWarnings("{name: PlacementPolicy}", filtering)).isEmpty();
        assertThat(policyWarnings("{name: PlacementPolicy}", scoring)).hasSize(1);
    }

    private static List<String> policyWarnings(String plugins, String extenders) {
        String text = """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            profiles: [{schedulerName: evenkeel, plugins: {multiPoint: {enabled: [%s]}}}]
            extenders: [%s]
            """.formatted(plugins, extenders);
        LiveOptions usual = LiveOptions.usual("test");
        try (LogLines log = new LogLines(ConfigurationWarnings.class)) {
            ConfigurationWarnings.log(new ConfigurationReader().read("cfg.yaml", text), text, usual, usual.plugins());
            return log.lines().stream().filter(line -> line.startsWith("WARN")).toList();
        }
    }
}
