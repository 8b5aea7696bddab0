package io.evenkeel.e2e.requeue;

import io.evenkeel.e2e.scene.Scene;
import java.util.List;

/** What can happen to the pods in place and to the namespaces that they are in. */
final class NeighbourRemedies {
    private NeighbourRemedies() {}

    static List<Remedy> all() {
        return List.of(
                new Remedy(
                        "a pod is deleted",
                        NeighbourRemedies::guestThatTakesMostOfTheNode,
                        "requests: {cpu: 1}",
                        scene -> scene.api().deleteNow(scene.podPath("guest"))),
                new Remedy(
                        "a pod has run to its end",
                        NeighbourRemedies::guestThatTakesMostOfTheNode,
                        "requests: {cpu: 1}",
                        scene -> scene.api().patch(scene.podPath("guest") + "/status", "status: {phase: Succeeded}")),
                new Remedy(
                        "a pod has been made smaller",
                        scene -> {
                            scene.node("a1", "allocatable: {cpu: 2}");
                            scene.podOn("a1", "guest", "requests: {cpu: 500m}");
                            resized(scene, "1500m");
                        },
                        "requests: {cpu: 1}",
                        scene -> resized(scene, "500m")),
                new Remedy(
                        "a port is free again",
                        scene -> {
                            scene.node("a1", "");
                            scene.podOn("a1", "guest", port());
                        },
                        port(),
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
                        SpreadPod.OF_WEB,
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
                        affinity("podAffinity", """
                                labelSelector: {matchLabels: {app: db}}, namespaceSelector: {matchLabels: {team: storage}}
                                """),
                        scene -> scene.api()
                                .patch(
                                        "/api/v1/namespaces/" + scene.namespace(),
                                        "metadata: {labels: {team: storage}}")));
    }

    private static void guestThatTakesMostOfTheNode(Scene scene) {
        scene.node("a1", "allocatable: {cpu: 2}");
        scene.podOn("a1", "guest", "requests: {cpu: 1500m}");
    }

    /** What a kubelet says once a pod's container really has these resources. */
    private static void resized(Scene scene, String cpu) {
        scene.api().patch(scene.podPath("guest") + "/status", """
                status:
                  containerStatuses:
                  - {name: main, image: 'registry.k8s.io/pause:3.10', imageID: '', ready: true, restartCount: 0,
                     allocatedResources: {cpu: %1$s}, resources: {requests: {cpu: %1$s}}}
                """.formatted(cpu));
    }

    private static String port() {
        return "ports: [{containerPort: 80, hostPort: 31380}]";
    }

    private static String affinity(String kind, String term) {
        return "affinity: {%s: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: kubernetes.io/hostname, %s}]}}"
                .formatted(kind, term);
    }
}
