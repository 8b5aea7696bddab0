package io.evenkeel.e2e.live;

import static io.evenkeel.e2e.cluster.ClusterKind.HOLLOW;
import static io.evenkeel.e2e.scene.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.e2e.scene.OnClusters;
import io.evenkeel.e2e.scene.Scene;
import io.evenkeel.e2e.scene.SchedulerUnderTest;
import io.evenkeel.hollow.Faults.HeldRequests;
import io.evenkeel.hollow.Faults.RequestMatch;
import io.evenkeel.hollow.resource.ResourceTable;
import org.junit.jupiter.api.Test;

/** A pod that others delete or bind while the server has the binding and holds it back. */
@OnClusters(HOLLOW)
class RaceTest {
    private static final RequestMatch BINDINGS = new RequestMatch("create", "pods/binding");

    @Test
    void anotherSchedulerThatBindsFirstWins(Scene scene) {
        scene.node("a1", "allocatable: {cpu: 2}");
        scene.node("a2", "{allocatable: {cpu: 2}, unschedulable: true}");
        SchedulerUnderTest scheduler = scene.scheduler();
        HeldRequests held = awaitOnItsWay(scene);
        scene.hollow().objects().bind(scene.namespace(), "contested", scene.nodeName("a2"));
        awaitSettled(scene, scheduler, held);
        assertThat(scene.pod("contested").node()).contains("a2");
        assertThat(BindingLog.granted(scene)).isEmpty();

        // what it had been meant for is free again
        scene.pod("next", "requests: {cpu: 2}");
        scene.awaitBound("next");
        assertThat(scene.pod("next").node()).contains("a1");
    }

    @Test
    void aPodThatIsDeletedOnItsWayLeavesNothingBehind(Scene scene) {
        scene.node("a1", "allocatable: {cpu: 2}");
        SchedulerUnderTest scheduler = scene.scheduler();
        HeldRequests held = awaitOnItsWay(scene);
        scene.hollow().objects().deleteNow(ResourceTable.PODS, scene.namespace(), "contested");
        awaitSettled(scene, scheduler, held);
        assertThat(BindingLog.granted(scene)).isEmpty();
        eventually("the scheduler knows that it is gone")
                .until(() -> scheduler.queued(scene.key("contested")).isEmpty());

        scene.pod("next", "requests: {cpu: 2}");
        scene.awaitBound("next");
    }

    private static HeldRequests awaitOnItsWay(Scene scene) {
        HeldRequests held = scene.hollow().faults().hold(BINDINGS);
        scene.pod("contested", "requests: {cpu: 2}");
        eventually("the binding is on its way").until(() -> held.waiting() == 1);
        return held;
    }

    private static void awaitSettled(Scene scene, SchedulerUnderTest scheduler, HeldRequests held) {
        held.letOn();
        eventually("the binding was refused")
                .until(() -> BindingLog.refused(scene).containsKey("contested"));
        eventually("nothing is on its way")
                .until(() -> scheduler.ask(asked -> asked.onTheirWay().isEmpty()));
    }
}
