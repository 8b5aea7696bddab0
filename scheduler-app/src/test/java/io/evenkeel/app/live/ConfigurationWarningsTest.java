package io.evenkeel.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.LogLines;
import io.evenkeel.config.ConfigurationReader;
import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConfigurationWarningsTest {
    private static final SchedulerConfiguration DEFAULTS = SchedulerConfiguration.defaults();
    private static final SchedulerConfiguration HARMLESS =
            DEFAULTS.withProfiles(List.of(Profile.defaults().named("evenkeel")));

    @Test
    void aProfileThatWouldRaceWithKubeSchedulerIsNamed() {
        assertThat(logged(DEFAULTS, false))
                .containsExactly("WARN A profile has the name that pods without one get; a kube-scheduler must not run"
                        + " beside it [profile=\"default-scheduler\"]");
    }

    @Test
    void whoWritesNothingRacesWithNobody() {
        assertThat(logged(DEFAULTS, true)).isEmpty();
    }

    @Test
    void extendersThatAreNotAskedAreNamed() {
        SchedulerConfiguration extended = new ConfigurationReader().read("cfg.yaml", """
                apiVersion: kubescheduler.config.k8s.io/v1
                kind: KubeSchedulerConfiguration
                profiles: [{schedulerName: evenkeel}]
                extenders: [{urlPrefix: "https://gpu.example.com", filterVerb: filter}]
                """);

        assertThat(logged(extended, true))
                .containsExactly("WARN Extenders are not supported yet and not asked"
                        + " [extenders=\"[https://gpu.example.com]\"]");
    }

    @Test
    void thereIsNothingToSayOfAProfileOfItsOwn() {
        assertThat(logged(HARMLESS, false)).isEmpty();
    }

    private static List<String> logged(SchedulerConfiguration configuration, boolean dryRun) {
        try (LogLines log = new LogLines(ConfigurationWarnings.class)) {
            ConfigurationWarnings.log(configuration, dryRun);
            return log.lines();
        }
    }
}
