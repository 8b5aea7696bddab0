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
import org.junit.jupiter.api.Test;

/** Statuses that the leader writes into policies, and the events of their transitions. */
@OnClusters(HOLLOW)
class PolicyStatusTest {
    private static final String API = "evenkeel.io/v1alpha1";
    private static final String HOSTNAME = "kubernetes.io/hostname";

    @Test
    void aPolicyThatIsNotKeptSaysSoUntilItIs(Scene scene) {
        scene.node("n0", "");
        scene.node("n1", "");
        scene.create(API, "PlacementPolicy", "redis", """
                spec: {selector: {matchLabels: {app: redis}}, rules: [{topologyKey: %s, maxPods: 1}]}
                """.formatted(HOSTNAME));
        scene.podOn("n0", "redis-0", "labels: {app: redis}");
        scene.podOn("n0", "redis-1", "labels: {app: redis}");
        scene.pod("redis-2", "labels: {app: redis}");
        scene.scheduler(
                        scene.configuration("plugins: {multiPoint: {enabled: [{name: PlacementPolicy}]}}"),
                        LiveOptions.usual("e2e"))
                .awaitSynced();

        eventually("it is not satisfied").untilAsserted(() -> {
            assertThat(condition(scene, "Satisfied")).isEqualTo("False CapExceeded");
            assertThat(Trees.text(policy(scene), "status", "pods")).isEqualTo("3");
        });
        assertThat(condition(scene, "Accepted")).isEqualTo("True Valid");
        assertThat(condition(scene, "Satisfiable")).isEqualTo("False CapTooSmall");
        assertThat(condition(scene, "SeenByAutoscaler")).isEqualTo("False HardRules");
        assertThat(Trees.objects(policy(scene), "status", "rules"))
                .singleElement()
                .satisfies(rule -> assertThat(Trees.objects(rule, "domains"))
                        .extracting(domain -> Trees.text(domain, "domain") + " " + Trees.text(domain, "pods"))
                        .containsExactly(scene.nodeName("n0") + " 2", scene.nodeName("n1") + " 1"));

        scene.api().delete(scene.podPath("redis-1"));
        eventually("it is satisfied again").untilAsserted(() -> {
            assertThat(condition(scene, "Satisfied")).isEqualTo("True LimitsKept");
            assertThat(condition(scene, "Satisfiable")).isEqualTo("True NoContradiction");
        });
        eventually("each is told once")
                .untilAsserted(() -> assertThat(reasons(scene))
                        .containsExactlyInAnyOrder(
                                "PolicyViolated", "PolicyUnsatisfiable", "PolicySatisfied", "PolicySatisfiable"));
    }

    private static JsonObject policy(Scene scene) {
        return scene.api().get(scene.path(API, "PlacementPolicy") + "/redis");
    }

    private static String condition(Scene scene, String type) {
        return Trees.objects(policy(scene), "status", "conditions").stream()
                .filter(one -> Trees.text(one, "type").equals(type))
                .map(one -> Trees.text(one, "status") + " " + Trees.text(one, "reason"))
                .findFirst()
                .orElse("none");
    }

    private static List<String> reasons(Scene scene) {
        return scene.events("redis").stream()
                .map(event -> Trees.text(event, "reason"))
                .toList();
    }
}
