package io.evenkeel.e2e.live;

import static io.evenkeel.e2e.cluster.ClusterKind.HOLLOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.e2e.scene.OnClusters;
import io.evenkeel.e2e.scene.Scene;
import io.evenkeel.e2e.scene.SchedulerUnderTest;
import org.junit.jupiter.api.Test;

/** Bindings go over one HTTP/2 connection, as in production: the fallback, for servers without HTTP/2, would work unnoticed. */
@OnClusters(HOLLOW)
class SharedConnectionTest {
    private static final int PODS = 100;

    @Test
    void bindingsShareAConnectionAndNoThreadWaitsForEach(Scene scene) {
        scene.zones(2, 5);
        SchedulerUnderTest scheduler = scene.scheduler();
        scene.pods("web", PODS, "");
        scene.awaitAllBound(PODS);

        BindingLog.assertBoundOnce(scene, PODS);
        assertThat(BindingLog.protocols(scene)).containsExactly("HTTP/2.0");
        assertThat(scheduler.bindingsBegun())
                .as("all but those that came before there was a connection")
                .isGreaterThan(PODS / 2);
    }
}
