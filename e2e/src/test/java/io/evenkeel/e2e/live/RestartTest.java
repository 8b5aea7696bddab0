package io.evenkeel.e2e.live;

import static io.evenkeel.e2e.scene.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.live.LiveOptions;
import io.evenkeel.app.live.LiveScheduler.Ending;
import io.evenkeel.e2e.scene.OnClusters;
import io.evenkeel.e2e.scene.Scene;
import io.evenkeel.e2e.scene.SchedulerUnderTest;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@OnClusters
class RestartTest {
    private static final int PODS = 300;

    enum End {
        CRASH,
        STOP;

        void act(SchedulerUnderTest scheduler) {
            switch (this) {
                case CRASH -> scheduler.crash();
                case STOP -> scheduler.stop();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void inTheMiddleOfItsWorkNothingIsLostAndNothingBoundTwice(End end, Scene scene) {
        scene.zones(3, 10);
        scene.pods("web", PODS, """
                labels: {app: web}
                topologySpreadConstraints:
                - {maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule,
                   labelSelector: {matchLabels: {app: web}}}
                """);
        // slow enough to be caught at it
        SchedulerUnderTest first = scene.scheduler(
                scene.configuration(
                        "", "{leaderElection: {leaderElect: false}, clientConnection: {qps: 20, burst: 40}}"),
                LiveOptions.usual("first"));
        eventually("some are bound").until(() -> scene.pods().placements().size() > PODS / 10);
        end.act(first);
        Map<String, String> before = scene.pods().placements();
        assertThat(before).as("bound before the end").hasSizeLessThan(PODS);
        assertThat(first.live().ended().getNow(null)).isEqualTo(end == End.STOP ? Ending.STOPPED : null);

        scene.scheduler();
        scene.awaitAllBound(PODS);
        assertThat(scene.pods().placements()).containsAllEntriesOf(before);
        assertThat(scene.spread("web", "topology.kubernetes.io/zone"))
                .isEqualTo(Map.of("a", 100L, "b", 100L, "c", 100L));
        scene.ifHollow(hollow -> BindingLog.assertBoundOnce(scene, PODS));
    }
}
