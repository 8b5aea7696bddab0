package io.evenkeel.e2e.placement;

import static io.evenkeel.e2e.scene.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.live.LiveOptions;
import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.e2e.scene.OnClusters;
import io.evenkeel.e2e.scene.Scene;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the cluster shows of a decision is that of the level, whatever release the API server is of. */
@OnClusters
class LevelsTest {
    @ParameterizedTest
    @EnumSource
    void whyAPodWaitsIsToldAsTheLevelDoes(CompatibilityLevel level, Scene scene) {
        scene.node("n1", "allocatable: {cpu: 1}");
        schedule(level, scene);
        scene.pod("large", "{requests: {cpu: 2}}");

        String idle = level == CompatibilityLevel.V1_36 ? "no new claims to deallocate, " : "";
        eventually("it says why")
                .untilAsserted(() -> assertThat(scene.pod("large").message())
                        .contains("Insufficient cpu")
                        .contains(idle + "preemption: "));
        assertThat(scene.pod("large").message().contains("no new claims")).isEqualTo(!idle.isEmpty());
    }

    @ParameterizedTest
    @EnumSource
    void aSpreadConstraintForAllPodsCountsThemAsTheLevelDoes(CompatibilityLevel level, Scene scene) {
        scene.node("n1", "labels: {e2e.evenkeel.io/rack: a}");
        scene.podOn("n1", "there", "{}");
        schedule(level, scene);
        scene.node("n2", "{labels: {e2e.evenkeel.io/rack: b}, unschedulable: true}");
        scene.pod("spread", """
            topologySpreadConstraints:
            - {maxSkew: 1, topologyKey: e2e.evenkeel.io/rack, whenUnsatisfiable: DoNotSchedule, labelSelector: {}}
            """);

        if (level.compareTo(CompatibilityLevel.V1_38) < 0) {
            eventually("none is counted").untilAsserted(() -> scene.pods().assertBound("spread"));
        } else {
            eventually("the other is counted")
                    .untilAsserted(() -> assertThat(scene.pod("spread").message())
                            .contains("didn't match pod topology spread constraints"));
        }
    }

    private static void schedule(CompatibilityLevel level, Scene scene) {
        SchedulerConfiguration configuration = scene.configuration("").toBuilder()
                .featureGates(FeatureGates.DEFAULTS.at(level))
                .build();
        scene.scheduler(configuration, LiveOptions.usual("e2e")).awaitSynced();
    }
}
