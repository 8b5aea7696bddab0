package io.evenkeel.e2e.group;

import static io.evenkeel.e2e.cluster.ClusterKind.HOLLOW;
import static io.evenkeel.e2e.scene.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.evenkeel.app.live.LiveOptions;
import io.evenkeel.e2e.live.BindingLog;
import io.evenkeel.e2e.scene.OnClusters;
import io.evenkeel.e2e.scene.Scene;
import io.evenkeel.e2e.scene.SchedulerUnderTest;
import io.evenkeel.model.json.Trees;
import io.evenkeel.rotation.Rotated;
import java.util.Map;
import org.junit.jupiter.api.RepeatedTest;

/** Three racks cross three rows, a node is lost, and eight pods are for the eight that are left: docs/groups.md. */
@OnClusters(value = HOLLOW, atEachLevel = true)
@Rotated(2)
class LookAheadTest {
    private static final int PODS = 8;

    /** Pod by pod and with luck it is all in two of five times, so once would say little. */
    @RepeatedTest(5)
    void podsOfAReplicaSetThatAreMadeOneByOneAllFindAPlace(Scene scene) {
        for (String rack : new String[] {"1", "2", "3"}) {
            for (String row : new String[] {"a", "b", "c"}) {
                if (!(rack + row).equals("3c")) {
                    scene.node(
                            rack + row, "{labels: {rack: '%s', row: %s}, allocatable: {pods: 1}}".formatted(rack, row));
                }
            }
        }
        SchedulerUnderTest scheduler = scene.scheduler(
                        scene.configuration(GangScene.with("GroupPlacement")), LiveOptions.usual("e2e"))
                .awaitSynced();
        scene.create("apps/v1", "ReplicaSet", "web", replicaSet(scene).toString());
        // another watch than the pods' tells how many pods there will be: none can be made before it is known
        eventually("the ReplicaSet is known").until(() -> scheduler.knows("ReplicaSet", scene.key("web")));
        scene.priority("late", 0);
        scene.awaitAllBound(PODS);
        assertThat(scene.spread("web", "rack")).isEqualTo(Map.of("1", 3L, "2", 3L, "3", 2L));
        assertThat(scene.spread("web", "row")).isEqualTo(Map.of("a", 3L, "b", 3L, "c", 2L));
        BindingLog.assertBoundOnce(scene, PODS);
    }

    private static JsonObject replicaSet(Scene scene) {
        JsonObject pod = Trees.parse(scene.draftPod("web", """
                labels: {app: web}
                priorityClassName: %s-late
                topologySpreadConstraints:
                - {maxSkew: 1, topologyKey: rack, whenUnsatisfiable: DoNotSchedule,
                   labelSelector: {matchLabels: {app: web}}}
                - {maxSkew: 1, topologyKey: row, whenUnsatisfiable: DoNotSchedule,
                   labelSelector: {matchLabels: {app: web}}}
                """.formatted(scene.namespace())));
        JsonObject metadata = new JsonObject();
        metadata.add("labels", pod.getAsJsonObject("metadata").get("labels"));
        JsonObject template = new JsonObject();
        template.add("metadata", metadata);
        template.add("spec", pod.get("spec"));
        JsonObject whole = Trees.parse("{\"spec\":{\"selector\":{\"matchLabels\":{\"app\":\"web\"}}}}");
        whole.getAsJsonObject("spec").addProperty("replicas", PODS);
        whole.getAsJsonObject("spec").add("template", template);
        return whole;
    }
}
