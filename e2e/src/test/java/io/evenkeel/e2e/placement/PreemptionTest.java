package io.evenkeel.e2e.placement;

import static io.evenkeel.e2e.scene.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.evenkeel.e2e.scene.OnClusters;
import io.evenkeel.e2e.scene.PodView;
import io.evenkeel.e2e.scene.Pods;
import io.evenkeel.e2e.scene.Scene;
import io.evenkeel.e2e.scene.SchedulerUnderTest;
import io.evenkeel.model.json.Trees;
import io.evenkeel.rotation.Rotated;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Pods that go so that more important ones may run. Where no kubelet ends those that are being deleted, the test does. */
@OnClusters(atEachLevel = true)
@Rotated(3)
class PreemptionTest {
    private static final String ONE_CPU = "requests: {cpu: 1}, ";

    @Test
    void aBurstOfUrgentPodsTakesThePlacesOfOthersOnAFullCluster(Scene scene) {
        String urgent = urgent(scene);
        twoFullNodes(scene);
        scene.scheduler();
        scene.pods("urgent", 3, "{" + ONE_CPU + urgent + "}");

        eventually("three go, and the urgent are where they were").untilAsserted(() -> {
            end(leaving(scene), scene);
            scene.pods().assertBound("urgent-0", "urgent-1", "urgent-2");
        });
        assertThat(scene.pods().all()).hasSize(4);
        assertThat(stillThere(scene, "batch-0", "batch-1", "batch-2", "batch-3"))
                .hasSize(1);
    }

    @Test
    void forAThousandAtOnceAThousandGoAndNobodyElse(Scene scene) {
        String urgent = urgent(scene);
        for (int pod = 0; pod < 1_500; pod++) {
            String node = "n" + pod / 30;
            if (pod % 30 == 0) {
                scene.node(node, "allocatable: {cpu: 30}");
            }
            scene.podOn(node, "batch-" + pod, "requests: {cpu: 1}");
            // those that have not started change their order as others of their node go
            scene.api().patch(scene.podPath("batch-" + pod) + "/status", "status: {startTime: '2026-01-01T00:00:00Z'}");
        }
        scene.pods("urgent", 1_000, "{" + ONE_CPU + urgent + "}");
        scene.scheduler();

        eventually("all are bound").pollInterval(Duration.ofMillis(200)).untilAsserted(() -> {
            Pods pods = scene.pods();
            end(leaving(pods), scene);
            assertThat(pods.placements().keySet())
                    .filteredOn(pod -> pod.startsWith("urgent"))
                    .hasSize(1_000);
        });
        assertThat(scene.pods().all()).hasSize(1_500);
        assertThat(leaving(scene)).isEmpty();
    }

    @Test
    void ownersReadForWhomTheirPodsGoAndTheNodeIsKept(Scene scene) {
        String urgent = urgent(scene);
        scene.node("n1", "allocatable: {cpu: 1}");
        scene.podOn("n1", "batch", "{requests: {cpu: 1}, terminationGracePeriodSeconds: 60}");
        scene.scheduler();
        scene.pod("urgent", "{" + ONE_CPU + urgent + "}");
        eventually("it goes").until(() -> leaving(scene).equals(List.of("batch")));

        JsonObject batch = scene.pod("batch").tree();
        assertThat(Trees.number(batch, "metadata", "deletionGracePeriodSeconds"))
                .contains(60L);
        assertThat(Trees.objects(batch, "status", "conditions"))
                .filteredOn(condition -> Trees.text(condition, "type").equals("DisruptionTarget"))
                .singleElement()
                .satisfies(
                        condition -> assertThat(Trees.text(condition, "reason")).isEqualTo("PreemptionByScheduler"));
        eventually("the event says so")
                .untilAsserted(() -> assertThat(scene.events("batch"))
                        .anySatisfy(event -> assertThat(Trees.text(event, "note"))
                                .isEqualTo("Preempted by pod "
                                        + scene.pod("urgent").uid() + " on node " + scene.nodeName("n1"))));
        eventually("the node is kept")
                .until(() -> nominatedNode(scene, "urgent").equals(scene.nodeName("n1")));

        end(List.of("batch"), scene);
        scene.awaitBound("urgent");
    }

    @Test
    void whoseBudgetIsUsedUpStaysWhileThereIsAnotherWay(Scene scene) {
        String urgent = urgent(scene);
        scene.node("n1", "allocatable: {cpu: 1}");
        scene.node("n2", "allocatable: {cpu: 1}");
        scene.podOn("n1", "guarded", "{labels: {app: guarded}, requests: {cpu: 1}}");
        scene.podOn("n2", "batch", "{" + ONE_CPU + "labels: {app: batch}}");
        scene.create("policy/v1", "PodDisruptionBudget", "guard", """
            spec: {minAvailable: 1, selector: {matchLabels: {app: guarded}}}
            """);
        scene.scheduler();
        scene.pod("urgent", "{" + ONE_CPU + urgent + "}");

        eventually("the other goes").until(() -> leaving(scene).equals(List.of("batch")));
    }

    @Test
    void ifThePodThatTheyWentForIsGoneTheNodeIsFreeForOthers(Scene scene) {
        String urgent = urgent(scene);
        scene.node("n1", "allocatable: {cpu: 1}");
        scene.podOn("n1", "batch", "requests: {cpu: 1}");
        scene.scheduler();
        scene.pod("urgent", "{" + ONE_CPU + urgent + "}");
        eventually("it goes").until(() -> leaving(scene).equals(List.of("batch")));

        scene.pod("modest", "requests: {cpu: 1}");
        end(List.of("batch"), scene);
        scene.api().deleteNow(scene.podPath("urgent"));
        eventually("another has the place").untilAsserted(() -> {
            assertThat(scene.pods().placements())
                    .containsOnlyKeys(scene.pod("modest").name());
        });
    }

    @Test
    void aRestartBetweenEvictionAndBindingEvictsNobodyElse(Scene scene) {
        String urgent = urgent(scene);
        twoFullNodes(scene);
        SchedulerUnderTest first = scene.scheduler();
        scene.pod("urgent", "{" + ONE_CPU + urgent + "}");
        eventually("one goes").until(() -> leaving(scene).size() == 1);
        eventually("the node is kept")
                .until(() -> !nominatedNode(scene, "urgent").isEmpty());
        first.crash();

        scene.scheduler();
        end(leaving(scene), scene);
        scene.awaitBound("urgent");
        assertThat(leaving(scene)).isEmpty();
        assertThat(stillThere(scene, "batch-0", "batch-1", "batch-2", "batch-3"))
                .hasSize(3);
    }

    @Test
    void whoeverDeletesAPodThatIsToGoHelpsAlike(Scene scene) {
        String urgent = urgent(scene);
        scene.node("n1", "allocatable: {cpu: 1}");
        scene.podOn("n1", "batch", "requests: {cpu: 1}");
        scene.scheduler();
        scene.api().delete(scene.podPath("batch"));
        scene.pod("urgent", "{" + ONE_CPU + urgent + "}");
        end(List.of("batch"), scene);

        scene.awaitBound("urgent");
        assertThat(scene.events("batch"))
                .noneMatch(event -> Trees.text(event, "reason").equals("Preempted"));
    }

    private static String urgent(Scene scene) {
        return scene.priority("urgent", 1000);
    }

    private static void twoFullNodes(Scene scene) {
        for (int pod = 0; pod < 4; pod++) {
            String node = "n" + pod / 2;
            if (pod % 2 == 0) {
                scene.node(node, "allocatable: {cpu: 2}");
            }
            scene.podOn(node, "batch-" + pod, "requests: {cpu: 1}");
        }
    }

    private static List<String> leaving(Scene scene) {
        return leaving(scene.pods());
    }

    private static List<String> leaving(Pods pods) {
        return pods.all().stream()
                .filter(pod ->
                        !Trees.text(pod.tree(), "metadata", "deletionTimestamp").isEmpty())
                .map(PodView::name)
                .toList();
    }

    private static List<String> stillThere(Scene scene, String... names) {
        List<String> all = scene.pods().all().stream().map(PodView::name).toList();
        return Stream.of(names).filter(all::contains).toList();
    }

    private static String nominatedNode(Scene scene, String pod) {
        return Trees.text(scene.pod(pod).tree(), "status", "nominatedNodeName");
    }

    /** As a kubelet does when the containers have ended. */
    private static void end(List<String> pods, Scene scene) {
        pods.forEach(pod -> scene.api().deleteNow(scene.podPath(pod)));
    }
}
