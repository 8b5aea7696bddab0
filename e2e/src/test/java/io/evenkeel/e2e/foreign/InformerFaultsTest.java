package io.evenkeel.e2e.foreign;

import static io.evenkeel.e2e.cluster.ClusterKind.HOLLOW;

import io.evenkeel.e2e.scene.OnClusters;
import io.evenkeel.e2e.scene.Scene;
import io.evenkeel.hollow.HollowCluster;
import io.evenkeel.hollow.resource.ResourceTable;
import org.junit.jupiter.api.Test;

/** A foreign informer finds its way back to the truth, however the server breaks off. */
@OnClusters(HOLLOW)
class InformerFaultsTest {

    @Test
    void watchesThatTheServerClosesAreTakenUpWhereTheyEnded(Scene scene) {
        scene.zones(2, 2);
        scene.scheduler();
        try (PodInformer informer = PodInformer.start(scene)) {
            for (int round = 0; round < 3; round++) {
                scene.pods("round-" + round, 5, "");
                scene.hollow().closeWatches();
                scene.pods("again-" + round, 5, "");
                scene.awaitAllBound(10 * (round + 1));
            }
            informer.awaitLevel();
        }
    }

    /** What it knows is older than the server's history then: 410, and it lists anew. */
    @Test
    void whatHappenedWhileTheServerWasAwayIsListedWhereItsHistoryIsForgotten(Scene scene) {
        scene.zones(2, 2);
        scene.scheduler();
        try (PodInformer informer = PodInformer.start(scene)) {
            scene.pods("before", 10, "");
            scene.awaitAllBound(10);
            informer.awaitLevel();

            HollowCluster hollow = scene.hollow();
            hollow.stopServer();
            hollow.objects().deleteNow(ResourceTable.PODS, scene.namespace(), "before-3");
            hollow.compact();
            hollow.restartServer();
            scene.awaitServer();

            scene.pods("after", 10, "");
            scene.awaitAllBound(19);
            informer.awaitLevel();
        }
    }
}
