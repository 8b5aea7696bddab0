package io.evenkeel.e2e.requeue;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.evenkeel.e2e.scene.Scene;
import io.evenkeel.model.json.Trees;
import java.util.List;

/** What can happen to the pod that waits. */
final class OwnRemedies {
    private OwnRemedies() {}

    static List<Remedy> all() {
        return List.of(
                new Remedy(
                        "the pod tolerates more",
                        scene -> scene.node("a1", NodeRemedies.TAINTED),
                        "",
                        OwnRemedies::tolerate),
                new Remedy(
                        "the pod changes its labels",
                        scene -> {
                            scene.zone("a", "a1");
                            scene.node("b1", "{labels: {topology.kubernetes.io/zone: b}, allocatable: {cpu: 0}}");
                            scene.podOn("a1", "guest", "labels: {app: web}");
                        },
                        SpreadPod.OF_WEB,
                        // the skew is that of others then, and it adds nothing to it
                        scene -> scene.api().patch(scene.podPath("subject"), "metadata: {labels: {app: other}}")));
    }

    private static void tolerate(Scene scene) {
        JsonArray all = new JsonArray();
        Trees.objects(scene.api().get(scene.podPath("subject")), "spec", "tolerations")
                .forEach(all::add);
        JsonObject more = new JsonObject();
        more.addProperty("key", "dedicated");
        more.addProperty("operator", "Exists");
        all.add(more);
        scene.api().patch(scene.podPath("subject"), "spec: {tolerations: %s}".formatted(all));
    }
}
