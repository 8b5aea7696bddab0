package io.evenkeel.e2e.requeue;

import com.google.gson.JsonArray;
import io.evenkeel.e2e.scene.Scene;
import io.evenkeel.model.json.Trees;
import java.util.List;

/** What can happen to nodes. */
final class NodeRemedies {
    static final String TAINTED = "taints: [{key: dedicated, value: db, effect: NoSchedule}]";

    private NodeRemedies() {}

    static List<Remedy> all() {
        return List.of(
                new Remedy(
                        "a node is added",
                        scene -> scene.node("a1", "allocatable: {cpu: 1}"),
                        "requests: {cpu: 2}",
                        scene -> scene.node("a2", "")),
                new Remedy(
                        "a node is deleted",
                        scene -> {
                            scene.zone("a", "a1");
                            scene.node("b1", "{labels: {topology.kubernetes.io/zone: b}, allocatable: {cpu: 0}}");
                            scene.podOn("a1", "guest", "labels: {app: web}");
                        },
                        SpreadPod.OF_WEB,
                        // its zone, which nothing could go to, was the one with the fewest
                        scene -> scene.api().deleteNow(scene.nodePath("b1"))),
                new Remedy(
                        "a node gets a label",
                        scene -> scene.node("a1", ""),
                        "nodeSelector: {disk: ssd}",
                        scene -> scene.api().patch(scene.nodePath("a1"), "metadata: {labels: {disk: ssd}}")),
                new Remedy("a taint is removed", scene -> scene.node("a1", TAINTED), "", scene -> untaint(scene, "a1")),
                new Remedy(
                        "a node is uncordoned",
                        scene -> scene.node("a1", "unschedulable: true"),
                        "",
                        scene -> scene.api().patch(scene.nodePath("a1"), "spec: {unschedulable: null}")),
                new Remedy(
                        "a node's allocatable grows",
                        scene -> scene.node("a1", "allocatable: {cpu: 1}"),
                        "requests: {cpu: 2}",
                        scene -> scene.api()
                                .patch(
                                        scene.nodePath("a1") + "/status",
                                        "status: {capacity: {cpu: 4}, allocatable: {cpu: 4}}")));
    }

    private static void untaint(Scene scene, String node) {
        JsonArray left = new JsonArray();
        Trees.objects(scene.api().get(scene.nodePath(node)), "spec", "taints").stream()
                .filter(taint -> !Trees.text(taint, "key").equals("dedicated"))
                .forEach(left::add);
        scene.api().patch(scene.nodePath(node), "spec: {taints: %s}".formatted(left));
    }
}
