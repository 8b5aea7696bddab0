package io.evenkeel.e2e.placement;

import static io.evenkeel.e2e.scene.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.e2e.scene.OnClusters;
import io.evenkeel.e2e.scene.Scene;
import org.junit.jupiter.api.Test;

/** What the cluster shows of a decision is that of the level. */
@OnClusters(atEachLevel = true)
class LevelsTest {
    @Test
    void whyAPodWaitsIsToldAsTheLevelDoes(Scene scene) {
        scene.node("n1", "allocatable: {cpu: 1}");
        scene.scheduler();
        scene.pod("large", "{requests: {cpu: 2}}");

        String idle = scene.level() == CompatibilityLevel.V1_36 ? "no new claims to deallocate, " : "";
        eventually("it says why")
                .untilAsserted(() -> assertThat(scene.pod("large").message())
                        .contains("Insufficient cpu")
                        .contains(idle + "preemption: "));
        assertThat(scene.pod("large").message().contains("no new claims")).isEqualTo(!idle.isEmpty());
    }

    @Test
    void aSpreadConstraintForAllPodsCountsThemAsTheLevelDoes(Scene scene) {
        scene.node("n1", "labels: {e2e.evenkeel.io/rack: a}");
        scene.podOn("n1", "there", "{}");
        scene.scheduler();
        scene.node("n2", "{labels: {e2e.evenkeel.io/rack: b}, unschedulable: true}");
        scene.pod("spread", """
            topologySpreadConstraints:
            - {maxSkew: 1, topologyKey: e2e.evenkeel.io/rack, whenUnsatisfiable: DoNotSchedule, labelSelector: {}}
            """);

        if (scene.level().compareTo(CompatibilityLevel.V1_38) < 0) {
            eventually("none is counted").untilAsserted(() -> scene.pods().assertBound("spread"));
        } else {
            eventually("the other is counted")
                    .untilAsserted(() -> assertThat(scene.pod("spread").message())
                            .contains("didn't match pod topology spread constraints"));
        }
    }
}
