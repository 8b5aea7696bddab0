package io.evenkeel.e2e.group;

import static io.evenkeel.e2e.cluster.ClusterKind.HOLLOW;
import static io.evenkeel.e2e.scene.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.e2e.live.BindingLog;
import io.evenkeel.e2e.scene.OnClusters;
import io.evenkeel.e2e.scene.Scene;
import io.evenkeel.e2e.scene.SchedulerUnderTest;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import io.evenkeel.rotation.Rotated;
import java.util.List;
import org.junit.jupiter.api.Test;

/** All of a gang are bound, or none is. */
@OnClusters(value = HOLLOW, atEachLevel = true)
@Rotated(2)
class GangTest {
    private static final int SIZE = 50;

    @Test
    void aGangWaitsForTheLastNodeThatItTakesAndIsThenBoundWhole(Scene scene) {
        GangScene gangs = new GangScene(scene);
        gangs.nodes("node", SIZE - 1, 1);
        gangs.scheduler();
        gangs.gang("train", SIZE);
        gangs.awaitWaiting("train", SIZE, "have room for 49, 50 are asked for");
        gangs.awaitEvent("train", "FailedScheduling", "have room for 49, 50 are asked for");
        assertThat(BindingLog.granted(scene)).isEmpty();

        scene.node("last", "allocatable: {pods: 1}");
        gangs.awaitBound("train", SIZE);
        gangs.awaitScheduled("train");
        BindingLog.assertBoundOnce(scene, SIZE);
        gangs.assertNeverDegraded("train");
    }

    /** What comes of its pods later is said elsewhere. */
    @Test
    void thatAGangWasScheduledIsNeverTakenBack(Scene scene) {
        GangScene gangs = new GangScene(scene);
        gangs.nodes("node", 3, 1);
        gangs.scheduler();
        gangs.gang("train", 3);
        gangs.awaitBound("train", 3);
        gangs.awaitScheduled("train");

        scene.pod("train-3", GangScene.member("train"));
        eventually("it has no place")
                .untilAsserted(() -> assertThat(scene.pod("train-3").reason()).isEqualTo("Unschedulable"));
        gangs.assertScheduled("train");
        gangs.cordon(scene.pod("train-0").node().orElseThrow(), true);
        scene.api().deleteNow(scene.podPath("train-0"));
        gangs.awaitDegraded("train", "2 of 3");
        gangs.assertScheduled("train");
    }

    /** Each of them fits alone, and half of both would as well. */
    @Test
    void ofTwoGangsThatFitAloneOneHoldsNothingUntilTheOtherIsGone(Scene scene) {
        GangScene gangs = new GangScene(scene);
        gangs.nodes("node", 3, 2);
        gangs.group("one", 5);
        gangs.group("two", 5);
        for (int i = 0; i < 5; i++) {
            scene.pod("one-" + i, GangScene.member("one"));
            scene.pod("two-" + i, GangScene.member("two"));
        }
        gangs.scheduler();
        eventually("one of them is bound").until(() -> gangs.bound("one") == 5 || gangs.bound("two") == 5);
        String first = gangs.bound("one") == 5 ? "one" : "two";
        String second = first.equals("one") ? "two" : "one";
        gangs.awaitWaiting(second, 5, "");
        gangs.awaitScheduled(first);
        assertThat(BindingLog.granted(scene)).hasSize(5);

        gangs.pods(first).forEach(pod -> scene.api().deleteNow(scene.podPath(pod.name())));
        gangs.awaitBound(second, 5);
        gangs.awaitScheduled(second);
        BindingLog.assertBoundOnce(scene, 10);
    }

    @Test
    void aGangThatIsNotAllThereYetWaitsForItsGroupAndItsPods(Scene scene) {
        GangScene gangs = new GangScene(scene);
        gangs.nodes("node", 3, 1);
        SchedulerUnderTest scheduler = gangs.scheduler();
        scene.pods("train", 2, GangScene.member("train"));
        awaitGated(scheduler, scene);
        gangs.group("train", 3);
        awaitGated(scheduler, scene);
        assertThat(gangs.bound("train")).isZero();
        scene.pod("train-2", GangScene.member("train"));
        gangs.awaitBound("train", 3);
        gangs.awaitScheduled("train");
        BindingLog.assertBoundOnce(scene, 3);
    }

    private static void awaitGated(SchedulerUnderTest scheduler, Scene scene) {
        for (int i = 0; i < 2; i++) {
            String key = scene.key("train-" + i);
            eventually(key + " waits for others")
                    .until(() -> scheduler
                            .queued(key)
                            .filter(entry -> entry.state() == QueueState.GATED)
                            .filter(entry -> entry.rejectedBy().equals(List.of("GangScheduling")))
                            .isPresent());
        }
    }
}
