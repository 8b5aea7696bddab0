package io.evenkeel.e2e.placement;

import static io.evenkeel.e2e.cluster.ClusterKind.HOLLOW;
import static io.evenkeel.e2e.scene.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.evenkeel.app.live.LiveOptions;
import io.evenkeel.e2e.scene.OnClusters;
import io.evenkeel.e2e.scene.Scene;
import io.evenkeel.model.json.Trees;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A Deployment that is scaled down: its ReplicaSet chooses whom it deletes, by what pods are said to cost. */
@OnClusters(HOLLOW)
class ScaleDownTest {
    private static final String API = "evenkeel.io/v1alpha1";
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final String COST = "controller.kubernetes.io/pod-deletion-cost";
    private static final int REPLICAS = 20;

    @Test
    void thoseStayThatKeepTheSpreadEven(Scene scene) {
        running(scene, "Managed");
        String foreign = pods(scene).getFirst();
        scene.api().patch(scene.podsPath() + "/" + foreign, "metadata: {annotations: {%s: '7'}}".formatted(COST));
        eventually("all others bear a cost")
                .untilAsserted(() -> assertThat(costs(scene))
                        .hasSize(REPLICAS)
                        .doesNotContain("")
                        .contains("-1", "-6"));
        assertThat(cost(scene, foreign)).isEqualTo("7");

        scale(scene, 3);
        assertThat(zones(scene)).isEqualTo(Map.of("a", 1L, "b", 1L, "c", 1L));
        assertThat(pods(scene)).contains(foreign);
        assertThat(scene.events("even"))
                .extracting(event -> Trees.text(event, "reason"))
                .containsOnlyOnce("PodDeletionCostNotOurs");

        policy(scene, "Unmanaged");
        eventually("ours is taken back")
                .untilAsserted(() -> assertThat(costs(scene)).containsExactlyInAnyOrder("", "", "7"));
    }

    private static void running(Scene scene, String cost) {
        scene.zones(3, 2);
        scene.create(API, "PlacementPolicy", "even", """
                spec: {selector: {matchLabels: {app: web}}, podDeletionCost: %s,
                       rules: [{topologyKey: %s, maxSkew: 1}]}
                """.formatted(cost, ZONE));
        scene.scheduler(
                        scene.configuration("plugins: {multiPoint: {enabled: [{name: PlacementPolicy}]}}"),
                        LiveOptions.usual("e2e"))
                .awaitSynced();
        scene.create("apps/v1", "Deployment", "web", """
                spec:
                  replicas: %d
                  selector: {matchLabels: {app: web}}
                  template:
                    metadata: {labels: {app: web}}
                    spec: %s
                """.formatted(
                REPLICAS,
                Trees.object(Trees.parse(scene.draftPod("web", "")), "spec").orElseThrow()));
        scene.awaitAllBound(REPLICAS);
        for (String pod : pods(scene)) {
            scene.api().patch(scene.podsPath() + "/" + pod + "/status", """
                            status: {phase: Running, conditions: [{type: Ready, status: 'True'}]}
                            """);
        }
    }

    private static void policy(Scene scene, String cost) {
        scene.api().patch(scene.path(API, "PlacementPolicy") + "/even", "spec: {podDeletionCost: " + cost + "}");
    }

    private static void scale(Scene scene, int replicas) {
        scene.api().patch(scene.path("apps/v1", "Deployment") + "/web", "spec: {replicas: " + replicas + "}");
        eventually("only so many are left")
                .untilAsserted(() -> assertThat(pods(scene)).hasSize(replicas));
    }

    /** Those that are not being deleted. */
    private static List<JsonObject> all(Scene scene) {
        return scene.api().list(scene.podsPath()).stream()
                .filter(pod -> Trees.text(pod, "metadata", "deletionTimestamp").isEmpty())
                .toList();
    }

    private static List<String> pods(Scene scene) {
        return all(scene).stream()
                .map(pod -> Trees.text(pod, "metadata", "name"))
                .toList();
    }

    /** Nodes are named a1, a2, b1 … by their zone. */
    private static Map<String, Long> zones(Scene scene) {
        int prefix = scene.nodeName("").length();
        return all(scene).stream()
                .map(pod -> Trees.text(pod, "spec", "nodeName").substring(prefix, prefix + 1))
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    }

    private static List<String> costs(Scene scene) {
        return all(scene).stream().map(ScaleDownTest::cost).toList();
    }

    private static String cost(Scene scene, String pod) {
        return cost(scene.api().get(scene.podsPath() + "/" + pod));
    }

    private static String cost(JsonObject pod) {
        return Trees.text(pod, "metadata", "annotations", COST);
    }
}
