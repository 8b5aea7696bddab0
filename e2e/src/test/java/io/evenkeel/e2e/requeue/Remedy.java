package io.evenkeel.e2e.requeue;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.evenkeel.app.hollow.json.Trees;
import io.evenkeel.e2e.scene.Scene;
import java.util.List;
import java.util.function.Consumer;

/** A change that lets a pod be placed, the scene in which it cannot be placed before, and the pod. */
record Remedy(String name, Consumer<Scene> setting, String pod, Consumer<Scene> change) {

    static List<Remedy> all() {
        return List.of(
                new Remedy(
                        "a node is added",
                        scene -> scene.node("a1", "allocatable: {cpu: 1}"),
                        "requests: {cpu: 2}",
                        scene -> scene.node("a2", "")),
                new Remedy(
                        "a node gets a label",
                        scene -> scene.node("a1", ""),
                        "nodeSelector: {disk: ssd}",
                        scene -> scene.api().patch(scene.nodePath("a1"), "metadata: {labels: {disk: ssd}}")),
                new Remedy(
                        "a taint is removed",
                        scene -> scene.node("a1", "taints: [{key: dedicated, value: db, effect: NoSchedule}]"),
                        "",
                        scene -> untaint(scene, "a1", "dedicated")),
                new Remedy(
                        "a node is uncordoned",
                        scene -> scene.node("a1", "unschedulable: true"),
                        "",
                        scene -> scene.api().patch(scene.nodePath("a1"), "spec: {unschedulable: null}")),
                new Remedy(
                        "allocatable grows",
                        scene -> scene.node("a1", "allocatable: {cpu: 1}"),
                        "requests: {cpu: 2}",
                        scene -> scene.api()
                                .patch(
                                        scene.nodePath("a1") + "/status",
                                        "status: {capacity: {cpu: 4}, allocatable: {cpu: 4}}")),
                new Remedy(
                        "a pod is deleted",
                        scene -> {
                            scene.node("a1", "allocatable: {cpu: 2}");
                            scene.podOn("a1", "guest", "requests: {cpu: 1500m}");
                        },
                        "requests: {cpu: 1}",
                        scene -> scene.api().deleteNow(scene.podPath("guest"))),
                new Remedy(
                        "an excluded pod changes its labels",
                        scene -> {
                            scene.node("a1", "");
                            scene.podOn("a1", "guest", "labels: {app: noisy}");
                        },
                        affinity("podAntiAffinity", "labelSelector: {matchLabels: {app: noisy}}"),
                        scene -> scene.api().patch(scene.podPath("guest"), "metadata: {labels: {app: quiet}}")),
                new Remedy(
                        "a counted pod begins to terminate",
                        scene -> {
                            scene.zone("a", "a1");
                            scene.node("b1", "{labels: {topology.kubernetes.io/zone: b}, allocatable: {cpu: 0}}");
                            scene.podOn("a1", "guest", "labels: {app: web}");
                        },
                        """
            labels: {app: web}
            topologySpreadConstraints:
            - {maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule,
               labelSelector: {matchLabels: {app: web}}}
            """,
                        scene -> scene.api().delete(scene.podPath("guest"))),
                new Remedy(
                        "a wanted pod comes",
                        scene -> scene.node("a1", ""),
                        affinity("podAffinity", "labelSelector: {matchLabels: {app: db}}"),
                        scene -> scene.podOn("a1", "guest", "labels: {app: db}")),
                new Remedy(
                        "a namespace gets a label",
                        scene -> {
                            scene.node("a1", "");
                            scene.podOn("a1", "guest", "labels: {app: db}");
                        },
                        affinity(
                                "podAffinity",
                                "labelSelector: {matchLabels: {app: db}}, namespaceSelector: {matchLabels: {team: storage}}"),
                        scene -> scene.api()
                                .patch(
                                        "/api/v1/namespaces/" + scene.namespace(),
                                        "metadata: {labels: {team: storage}}")),
                new Remedy(
                        "the pod tolerates more",
                        scene -> scene.node("a1", "taints: [{key: dedicated, value: db, effect: NoSchedule}]"),
                        "",
                        scene -> tolerate(scene, "subject", "dedicated")));
    }

    @Override
    public String toString() {
        return name;
    }

    private static String affinity(String kind, String term) {
        return "affinity: {%s: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: kubernetes.io/hostname, %s}]}}"
                .formatted(kind, term);
    }

    private static void untaint(Scene scene, String node, String key) {
        JsonArray left = new JsonArray();
        Trees.objects(scene.api().get(scene.nodePath(node)), "spec", "taints").stream()
                .filter(taint -> !Trees.text(taint, "key").equals(key))
                .forEach(left::add);
        scene.api().patch(scene.nodePath(node), spec("taints", left));
    }

    private static void tolerate(Scene scene, String pod, String key) {
        JsonArray all = new JsonArray();
        Trees.objects(scene.api().get(scene.podPath(pod)), "spec", "tolerations")
                .forEach(all::add);
        JsonObject more = new JsonObject();
        more.addProperty("key", key);
        more.addProperty("operator", "Exists");
        all.add(more);
        scene.api().patch(scene.podPath(pod), spec("tolerations", all));
    }

    private static String spec(String field, JsonArray value) {
        JsonObject spec = new JsonObject();
        spec.add(field, value);
        JsonObject patch = new JsonObject();
        patch.add("spec", spec);
        return patch.toString();
    }
}
