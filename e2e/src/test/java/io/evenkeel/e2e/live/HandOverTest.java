package io.evenkeel.e2e.live;

import static io.evenkeel.e2e.scene.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.evenkeel.app.live.LiveOptions;
import io.evenkeel.e2e.scene.OnClusters;
import io.evenkeel.e2e.scene.Scene;
import io.evenkeel.e2e.scene.SchedulerUnderTest;
import io.evenkeel.model.json.Trees;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

@OnClusters
class HandOverTest {

    @Test
    void aReplicaThatStopsHandsOverWithoutWaitingForItsLeaseToEnd(Scene scene) {
        handOver(scene, SchedulerUnderTest::stop);
    }

    @Test
    void aReplicaThatCrashesIsReplacedWhenItsLeaseEnds(Scene scene) {
        handOver(scene, first -> {
            first.crash();
            scene.api().patch(leasePath(scene), "spec: {leaseDurationSeconds: 1}");
        });
    }

    private static void handOver(Scene scene, Consumer<SchedulerUnderTest> end) {
        scene.zones(2, 2);
        SchedulerUnderTest first = replica(scene, "first");
        eventually("the first leads").until(() -> first.live().isLeading());
        SchedulerUnderTest second = replica(scene, "second").awaitSynced();
        scene.pods("before", 20, "");
        scene.awaitAllBound(20);
        assertThat(holder(scene)).startsWith("first_");
        assertThat(second.live().isLeading()).isFalse();

        end.accept(first);
        scene.pods("after", 20, "");
        scene.awaitAllBound(40);
        assertThat(holder(scene)).startsWith("second_");
        assertThat(Trees.number(lease(scene), "spec", "leaseTransitions")).contains(1L);
        scene.ifHollow(hollow -> BindingLog.assertBoundOnce(scene, 40));
    }

    /** Its lease would outlive the test, so that it loses none, however long the machine makes it wait. */
    private static SchedulerUnderTest replica(Scene scene, String name) {
        return scene.scheduler(scene.configuration("", """
                        leaderElection: {leaderElect: true, resourceName: the-lease, resourceNamespace: %s,
                          leaseDuration: 1h, renewDeadline: 30m, retryPeriod: 200ms}
                        """.formatted(scene.namespace())), LiveOptions.usual(name));
    }

    private static String holder(Scene scene) {
        return Trees.text(lease(scene), "spec", "holderIdentity");
    }

    private static JsonObject lease(Scene scene) {
        return scene.api().get(leasePath(scene));
    }

    private static String leasePath(Scene scene) {
        return scene.path("coordination.k8s.io/v1", "Lease") + "/the-lease";
    }
}
