package io.evenkeel.e2e.live;

import static io.evenkeel.e2e.cluster.ClusterKind.HOLLOW;
import static io.evenkeel.e2e.scene.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.e2e.scene.OnClusters;
import io.evenkeel.e2e.scene.Scene;
import io.evenkeel.e2e.scene.SchedulerUnderTest;
import io.evenkeel.hollow.HollowCluster;
import io.evenkeel.hollow.resource.ResourceTable;
import org.junit.jupiter.api.Test;

@OnClusters(HOLLOW)
class ServerTroubleTest {

    @Test
    void aRestartedServerFindsTheSchedulerBackAtWork(Scene scene) {
        scene.zones(2, 5);
        scene.scheduler();
        scene.pods("before", 150, "");
        scene.hollow().stopServer();
        scene.hollow().restartServer();
        scene.awaitServer();
        scene.pods("after", 50, "");
        scene.awaitAllBound(200);
        BindingLog.assertNothingBoundTwice(scene);
    }

    @Test
    void watchesThatEndAreResumed(Scene scene) {
        scene.zones(2, 2);
        scene.scheduler();
        for (int round = 0; round < 3; round++) {
            scene.hollow().closeWatches();
            scene.pods("round" + round, 10, "");
        }
        scene.awaitAllBound(30);
        BindingLog.assertBoundOnce(scene, 30);
    }

    @Test
    void whatHappenedBeyondTheServersMemoryIsFoundByListingAgain(Scene scene) {
        HollowCluster hollow = scene.hollow();
        scene.zones(2, 1);
        SchedulerUnderTest scheduler = scene.scheduler();
        scene.pod("known", "");
        scene.awaitBound("known");
        hollow.stopServer();
        hollow.objects().deleteNow(ResourceTable.NODES, "", scene.nodeName("a1"));
        hollow.objects().create(scene.draftPod("unheard", ""));
        hollow.compact();
        hollow.restartServer();
        scene.awaitServer();
        // pods and nodes are listed each in their time, so this one may still be sent to the node that is gone
        scene.awaitBound("unheard");
        eventually("the node is known to be gone").until(() -> !scheduler.knowsNode(scene.nodeName("a1")));
        scene.pods("more", 5, "");
        scene.awaitAllBound(7);
        assertThat(scene.pods().placements()).containsEntry("more-0", "b1").containsEntry("more-4", "b1");
        BindingLog.assertBoundOnce(scene, 7);
    }
}
