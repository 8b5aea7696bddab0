package io.evenkeel.e2e.live;

import static io.evenkeel.e2e.scene.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.evenkeel.app.live.LiveOptions;
import io.evenkeel.e2e.cluster.ClusterKind;
import io.evenkeel.e2e.scene.OnClusters;
import io.evenkeel.e2e.scene.Scene;
import io.evenkeel.kube.extender.ExtenderServer;
import io.evenkeel.model.json.Trees;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pods that request GPUs, of which the scheduler knows nothing but that an extender does. */
@OnClusters(value = ClusterKind.HOLLOW, atEachLevel = true)
class ExtenderTest {
    private static final String GPU = "requests: {example.com/gpu: 1}";

    private ExtenderServer extender = ExtenderServer.start();

    @BeforeEach
    void anExtenderThatLikesAllNodes() {
        extender.answers("filter", ExtenderTest::all).answers("prioritize", "[]");
    }

    @AfterEach
    void close() {
        extender.close();
    }

    private static String all(String question) {
        JsonObject answer = new JsonObject();
        answer.add("NodeNames", names(question));
        return answer.toString();
    }

    private static JsonArray names(String question) {
        return JsonParser.parseString(question).getAsJsonObject().getAsJsonArray("NodeNames");
    }

    private static String only(String node) {
        return "{\"NodeNames\":[\"" + node + "\"]}";
    }

    private void start(Scene scene, String more) {
        scene.zones(2, 2);
        scene.scheduler(scene.configuration("", """
            leaderElection: {leaderElect: false}
            podInitialBackoffSeconds: 1
            podMaxBackoffSeconds: 1
            extenders:
            - {urlPrefix: '%s', filterVerb: filter, prioritizeVerb: prioritize, weight: 1,
               nodeCacheCapable: true, httpTimeout: 10m, %s
               managedResources: [{name: example.com/gpu, ignoredByScheduler: true}]}
            """.formatted(extender.url(), more)), LiveOptions.usual("e2e"))
                .awaitSynced();
    }

    @Test
    void itChoosesWithTheSchedulerWherePodsGo(Scene scene) {
        start(scene, "");
        extender.answers("prioritize", "[{\"Host\":\"%s\",\"Score\":10}]".formatted(scene.nodeName("b2")));
        scene.pod("scored", GPU);
        scene.awaitBound("scored");
        extender.answers("filter", only(scene.nodeName("a1")));
        scene.pod("filtered", GPU);
        scene.awaitBound("filtered");
        scene.pod("plain", "");
        scene.awaitBound("plain");

        assertThat(scene.pods().placements()).containsEntry("scored", "b2").containsEntry("filtered", "a1");
        assertThat(extender.asked("filter")).isEqualTo(2);
        JsonObject asked =
                JsonParser.parseString(extender.asked().getFirst().body()).getAsJsonObject();
        assertThat(names(extender.asked().getFirst().body())).hasSize(4);
        assertThat(asked.getAsJsonObject("Pod").getAsJsonObject("spec").getAsJsonArray("containers"))
                .hasSize(1);
    }

    @Test
    void wholeNodesAreSentWhereItKnowsNone(Scene scene) {
        scene.zones(1, 2);
        extender.answers("filter", question -> {
            JsonArray items = JsonParser.parseString(question)
                    .getAsJsonObject()
                    .getAsJsonObject("Nodes")
                    .getAsJsonArray("items");
            JsonObject last = items.get(items.size() - 1).getAsJsonObject();
            return "{\"Nodes\":{\"items\":[" + last + "]}}";
        });
        scene.scheduler(scene.configuration("", """
            leaderElection: {leaderElect: false}
            extenders:
            - {urlPrefix: '%s', filterVerb: filter}
            """.formatted(extender.url())), LiveOptions.usual("e2e"))
                .awaitSynced();
        scene.pod("web", "");
        scene.awaitBound("web");

        assertThat(extender.asked().getFirst().body())
                .contains("\"kubernetes.io/hostname\":\"" + scene.nodeName("a1") + "\"")
                .contains("\"conditions\"")
                .doesNotContain("managedFields");
    }

    @Test
    void whileItIsSlowOtherPodsGoOn(Scene scene) {
        start(scene, "");
        extender.hold();
        scene.pod("slow", GPU);
        eventually("the extender is asked").until(() -> extender.asked("filter") > 0);
        scene.pods("plain", 20, "");
        scene.awaitAllBound(20);
        assertThat(scene.pod("slow").node()).isEmpty();

        extender.release();
        scene.awaitBound("slow");
    }

    @Test
    void whileItIsDeadItsPodsAreToldAndOthersGoOn(Scene scene) {
        start(scene, "");
        int port = extender.port();
        extender.close();
        scene.pod("waits", GPU);
        eventually("it is told")
                .untilAsserted(() -> assertThat(scene.pod("waits")
                                .tree()
                                .getAsJsonObject("status")
                                .toString())
                        .contains("SchedulerError", "/filter\\\": Failed to connect to"));
        scene.pod("plain", "");
        scene.awaitBound("plain");

        extender = ExtenderServer.startAt(port)
                .answers("filter", ExtenderTest::all)
                .answers("prioritize", "[]");
        scene.awaitBound("waits");
    }

    @Test
    void whereItMayBeIgnoredItIsNotMissed(Scene scene) {
        start(scene, "ignorable: true,");
        extender.close();
        scene.pod("gpu", GPU);
        scene.awaitBound("gpu");
    }

    @Test
    void whomItTurnsAwayReadsWhyAndIsTriedAgainWhenAnythingChanges(Scene scene) {
        start(scene, "");
        extender.answers("filter", question -> {
            JsonObject failed = new JsonObject();
            names(question).forEach(name -> failed.addProperty(name.getAsString(), "no GPU of this kind"));
            return "{\"NodeNames\":[],\"FailedNodes\":" + failed + "}";
        });
        scene.pod("gpu", GPU);
        scene.awaitRejected("gpu", "4 no GPU of this kind");

        extender.answers("filter", ExtenderTest::all);
        scene.node("c1", "");
        scene.awaitBound("gpu");
    }

    @Test
    void itChoosesWhoGoesForMoreImportantPods(Scene scene) {
        String urgent = scene.priority("urgent", 1_000_000);
        for (String node : List.of("n1", "n2", "n3")) {
            scene.node(node, "allocatable: {cpu: 1}");
            scene.podOn(node, "on-" + node, "requests: {cpu: 1}");
        }
        scene.scheduler(scene.configuration("", """
            leaderElection: {leaderElect: false}
            extenders:
            - {urlPrefix: '%s', preemptVerb: preempt,
               managedResources: [{name: example.com/gpu, ignoredByScheduler: true}]}
            """.formatted(extender.url())), LiveOptions.usual("e2e"))
                .awaitSynced();
        extender.hold();
        extender.answers("preempt", question -> only(question, scene.nodeName("n2")));
        scene.pod("gpu", "{requests: {cpu: 1, example.com/gpu: 1}, %s}".formatted(urgent));
        eventually("it is asked").until(() -> extender.asked("preempt") > 0);
        assertThat(List.of("on-n1", "on-n2", "on-n3"))
                .as("nobody goes before it has answered")
                .noneMatch(pod -> isLeaving(scene, pod));

        extender.release();
        eventually("one goes").until(() -> isLeaving(scene, "on-n2"));
        scene.api().deleteNow(scene.podPath("on-n2"));
        scene.awaitBound("gpu");
        assertThat(scene.pods().placements())
                .containsEntry("gpu", "n2")
                .containsEntry("on-n1", "n1")
                .containsEntry("on-n3", "n3");
        assertThat(extender.asked().getFirst().body()).contains("\"spec\":{");
    }

    private static boolean isLeaving(Scene scene, String pod) {
        return Trees.at(scene.pod(pod).tree(), "metadata", "deletionTimestamp").isPresent();
    }

    /** Leaves only those victims of a preemption that would go from the node. */
    private static String only(String question, String node) {
        JsonObject victims = JsonParser.parseString(question)
                .getAsJsonObject()
                .getAsJsonObject("NodeNameToVictims")
                .getAsJsonObject(node);
        JsonArray pods = new JsonArray();
        Trees.objects(victims, "Pods").forEach(pod -> {
            JsonObject named = new JsonObject();
            named.addProperty("UID", Trees.text(pod, "metadata", "uid"));
            pods.add(named);
        });
        return """
            {"NodeNameToMetaVictims": {"%s": {"Pods": %s, "NumPDBViolations": 0}}}
            """.formatted(node, pods);
    }

    @Test
    void itBindsThePodsThatItWantsTo(Scene scene) {
        start(scene, "bindVerb: bind,");
        extender.answers("bind", order -> {
            JsonObject told = JsonParser.parseString(order).getAsJsonObject();
            scene.api().post(scene.podPath(told.get("PodName").getAsString()) + "/binding", """
                {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "%s"},
                 "target": {"kind": "Node", "name": "%s"}}
                """.formatted(
                            told.get("PodName").getAsString(), told.get("Node").getAsString()));
            return "{}";
        });
        scene.pod("gpu", GPU);
        scene.awaitBound("gpu");
        assertThat(extender.asked("bind")).isEqualTo(1);
        eventually("it is told").until(() -> scene.events("gpu").size() == 1);
    }

    @Test
    void whereItSaysThatItCouldNotBindThePodIsTriedAgain(Scene scene) {
        start(scene, "bindVerb: bind,");
        extender.answers("bind", "{\"Error\":\"not now\"}");
        scene.pod("gpu", GPU);
        eventually("it is told")
                .untilAsserted(() -> assertThat(scene.pod("gpu")
                                .tree()
                                .getAsJsonObject("status")
                                .toString())
                        .contains("SchedulerError", "not now"));
        assertThat(scene.pod("gpu").node()).isEmpty();
    }
}
