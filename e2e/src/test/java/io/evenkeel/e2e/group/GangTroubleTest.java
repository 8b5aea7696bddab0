package io.evenkeel.e2e.group;

import static io.evenkeel.e2e.cluster.ClusterKind.HOLLOW;
import static io.evenkeel.e2e.scene.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.e2e.live.BindingLog;
import io.evenkeel.e2e.scene.OnClusters;
import io.evenkeel.e2e.scene.Scene;
import io.evenkeel.e2e.scene.SchedulerUnderTest;
import io.evenkeel.hollow.Faults.HeldRequests;
import io.evenkeel.rotation.Rotated;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A gang that loses some of its pods, or its scheduler, on the way. */
@OnClusters(value = HOLLOW, atEachLevel = true)
@Rotated(2)
class GangTroubleTest {
    private static final int FORBIDDEN = 403;

    @Test
    void aGangOfWhichOneCouldNotBeBoundIsDegradedUntilThatOneHasAPlace(Scene scene) {
        GangScene gangs = new GangScene(scene);
        scene.node("a", "allocatable: {pods: 4}");
        SchedulerUnderTest scheduler = gangs.scheduler();
        HeldRequests held = scene.hollow().faults().hold(GangScene.BINDINGS);
        gangs.gang("train", 4);
        eventually("all are on their way").until(() -> held.waiting() == 4);
        // so that it does not come to its place again at once
        gangs.cordon("a", true);
        scene.awaitNodesKnown(scheduler);
        scene.hollow().faults().refuseNext(1, GangScene.BINDINGS, FORBIDDEN, 0);
        held.letOn();

        gangs.awaitDegraded("train", "3 of 4");
        gangs.awaitBound("train", 3);
        Map<String, String> before = scene.pods().placements();
        gangs.cordon("a", false);
        gangs.awaitBound("train", 4);
        gangs.awaitRecovered("train");
        assertThat(scene.pods().placements()).containsAllEntriesOf(before);
        gangs.assertScheduled("train");
        BindingLog.assertBoundOnce(scene, 4);
    }

    @Test
    void aGangThatLosesAPodIsDegradedUntilAnotherHasItsPlace(Scene scene) {
        GangScene gangs = new GangScene(scene);
        gangs.nodes("node", 3, 1);
        gangs.scheduler();
        gangs.gang("train", 3);
        gangs.awaitBound("train", 3);
        gangs.awaitScheduled("train");
        gangs.assertNeverDegraded("train");

        scene.api().deleteNow(scene.podPath("train-1"));
        gangs.awaitDegraded("train", "2 of 3");
        Map<String, String> before = scene.pods().placements();
        scene.pod("train-another", GangScene.member("train"));
        gangs.awaitBound("train", 3);
        gangs.awaitRecovered("train");
        assertThat(scene.pods().placements()).containsAllEntriesOf(before);
        BindingLog.assertBoundOnce(scene, 4);
    }

    /** The one that says so later is not the one that said that it was. */
    @Test
    void aGangThatRecoversUnderAnotherSchedulerIsToldSo(Scene scene) {
        GangScene gangs = new GangScene(scene);
        gangs.nodes("node", 3, 1);
        SchedulerUnderTest first = gangs.scheduler();
        gangs.gang("train", 3);
        gangs.awaitBound("train", 3);
        scene.api().deleteNow(scene.podPath("train-1"));
        gangs.awaitDegraded("train", "2 of 3");
        first.stop();

        scene.pod("train-another", GangScene.member("train"));
        gangs.scheduler();
        gangs.awaitBound("train", 3);
        gangs.awaitRecovered("train");
    }

    @Test
    void aGangWhoseSchedulerIsKilledInTheMiddleIsBoundByTheNextToTheLast(Scene scene) {
        int size = 100;
        GangScene gangs = new GangScene(scene);
        gangs.nodes("node", 25, 4);
        // slow enough to be caught at it
        SchedulerUnderTest first =
                gangs.scheduler("{leaderElection: {leaderElect: false}, clientConnection: {qps: 10, burst: 20}}");
        gangs.gang("train", size);
        eventually("some are bound").until(() -> gangs.bound("train") > size / 10);
        first.crash();
        Map<String, String> before = scene.pods().placements();
        assertThat(before).as("bound before the end").hasSizeLessThan(size);

        gangs.scheduler();
        gangs.awaitBound("train", size);
        gangs.awaitScheduled("train");
        assertThat(scene.pods().placements()).containsAllEntriesOf(before);
        BindingLog.assertBoundOnce(scene, size);
        gangs.assertNeverDegraded("train");
    }
}
