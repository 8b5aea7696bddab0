package io.evenkeel.e2e.live;

import static io.evenkeel.e2e.scene.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.evenkeel.app.live.LiveOptions;
import io.evenkeel.e2e.scene.OnClusters;
import io.evenkeel.e2e.scene.Scene;
import io.evenkeel.e2e.scene.SchedulerUnderTest;
import io.evenkeel.hollow.json.Trees;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

@OnClusters
class HandOverTest {

    @Test
    void aReplicaThatStopsHandsOverWithoutWaitingForItsLeaseToEnd(Scene scene) {
        // the lease would outlive the test
        handOver(scene, "leaseDuration: 1h, renewDeadline: 30m, retryPeriod: 200ms", SchedulerUnderTest::stop);
    }

    @Test
    void aReplicaThatCrashesIsReplacedWhenItsLeaseEnds(Scene scene) {
        handOver(scene, "leaseDuration: 2s, renewDeadline: 1s, retryPeriod: 200ms", SchedulerUnderTest::crash);
    }

    private static void handOver(Scene scene, String times, Consumer<SchedulerUnderTest> end) {
        scene.zones(2, 2);
        SchedulerUnderTest first = replica(scene, "first", times);
        eventually("the first leads").until(() -> first.live().leadership().isLeading());
        SchedulerUnderTest second = replica(scene, "second", times).awaitSynced();
        scene.pods("before", 20, "");
        scene.awaitAllBound(20);
        assertThat(holder(scene)).startsWith("first_");
        assertThat(second.live().leadership().isLeading()).isFalse();

        end.accept(first);
        scene.pods("after", 20, "");
        scene.awaitAllBound(40);
        assertThat(holder(scene)).startsWith("second_");
        assertThat(Trees.number(lease(scene), "spec", "leaseTransitions")).contains(1L);
        scene.ifHollow(hollow -> BindingLog.assertBoundOnce(scene, 40));
    }

    private static SchedulerUnderTest replica(Scene scene, String name, String times) {
        return scene.scheduler(
                scene.configuration("", """
                        leaderElection: {leaderElect: true, resourceName: the-lease, resourceNamespace: %s, %s}
                        """.formatted(scene.namespace(), times)), LiveOptions.usual(name));
    }

    private static String holder(Scene scene) {
        return Trees.text(lease(scene), "spec", "holderIdentity");
    }

    private static JsonObject lease(Scene scene) {
        return scene.api().get(scene.path("coordination.k8s.io/v1", "Lease") + "/the-lease");
    }
}
