package io.evenkeel.e2e.group;

import static io.evenkeel.e2e.cluster.ClusterKind.HOLLOW;
import static io.evenkeel.e2e.scene.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.live.LiveOptions;
import io.evenkeel.e2e.live.BindingLog;
import io.evenkeel.e2e.scene.OnClusters;
import io.evenkeel.e2e.scene.PodView;
import io.evenkeel.e2e.scene.Scene;
import io.evenkeel.e2e.scene.SchedulerUnderTest;
import io.evenkeel.hollow.Faults.RequestMatch;
import io.evenkeel.kube.watch.Watches.WatchStatus;
import io.evenkeel.model.json.Trees;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import io.evenkeel.rotation.Rotated;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The PodGroups of the coscheduling plugin, and clusters that have no such kind. */
@OnClusters(HOLLOW)
@Rotated(3)
class CoschedulingTest {
    private static final String API = "scheduling.x-k8s.io/v1alpha1";
    private static final String MEMBER = "labels: {scheduling.x-k8s.io/pod-group: train}";
    private static final int NOT_FOUND = 404;

    private static SchedulerUnderTest scheduler(Scene scene, String plugin) {
        return scene.scheduler(scene.configuration(GangScene.with(plugin)), LiveOptions.usual("e2e"))
                .awaitSynced();
    }

    private static void group(Scene scene) {
        scene.create(API, "PodGroup", "train", "spec: {minMember: 4}");
    }

    @Test
    void podsThatNameAGroupByTheLabelArePlacedTogether(Scene scene) {
        GangScene gangs = new GangScene(scene);
        gangs.nodes("node", 3, 1);
        scheduler(scene, "Coscheduling");
        group(scene);
        scene.pods("train", 4, MEMBER);
        eventually("all are told that they wait")
                .untilAsserted(() -> assertThat(gangs.pods("train"))
                        .extracting(PodView::message)
                        .hasSize(4)
                        .containsOnly("PodGroup " + scene.key("train")
                                + " waits: the nodes that come into question have room for 3, 4 are"
                                + " asked for; 3 would do"));
        eventually("an event about it says why")
                .untilAsserted(() -> assertThat(scene.events("train")).anySatisfy(event -> {
                    assertThat(Trees.text(event, "reason")).isEqualTo("FailedScheduling");
                    assertThat(Trees.text(event, "regarding", "apiVersion")).isEqualTo(API);
                }));
        assertThat(scene.pods().placements()).isEmpty();

        scene.node("last", "allocatable: {pods: 1}");
        scene.awaitAllBound(4);
        BindingLog.assertBoundOnce(scene, 4);
    }

    @Test
    void whereThereIsNoSuchKindOtherPodsArePlaced(Scene scene) {
        for (String plugin : new String[] {"Coscheduling", "GangScheduling"}) {
            scene.hollow().faults().refuseShare(1, new RequestMatch("*", "podgroups"), NOT_FOUND, 0);
            try (SchedulerUnderTest scheduler = scheduler(scene, plugin)) {
                assertThat(scheduler.live().watchStatuses())
                        .filteredOn(WatchStatus::absent)
                        .extracting(WatchStatus::kind)
                        .isNotEmpty()
                        .allMatch(kind -> kind.startsWith("PodGroup"));
                String pod = "ordinary-" + plugin.toLowerCase(Locale.ROOT);
                scene.node(plugin.toLowerCase(Locale.ROOT), "");
                scene.pod(pod, "");
                scene.awaitBound(pod);
            }
            scene.hollow().faults().clear();
        }
    }

    /** Looked for every 30 seconds, so this one takes as long. */
    @Test
    void aKindThatIsInstalledLaterIsFound(Scene scene) {
        scene.node("a", "");
        scene.hollow().faults().refuseShare(1, new RequestMatch("*", "podgroups"), NOT_FOUND, 0);
        SchedulerUnderTest scheduler = scheduler(scene, "Coscheduling");
        scene.pods("train", 4, MEMBER);
        eventually("they wait for the group")
                .until(() -> scheduler
                        .queued(scene.key("train-3"))
                        .filter(entry -> entry.state() == QueueState.GATED)
                        .isPresent());
        scene.hollow().faults().clear();
        group(scene);
        scene.awaitAllBound(4);
        BindingLog.assertBoundOnce(scene, 4);
    }
}
