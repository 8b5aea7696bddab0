package io.evenkeel.lab.bench;

import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import java.util.ArrayList;
import java.util.List;

/** Pods that are scheduled like those which are measured, but before them. */
final class Residents {
    private Residents() {}

    /**
     * The pods where the engine has placed them.
     *
     * @throws IllegalStateException if not all of them fit
     */
    static List<Pod> placed(List<KubernetesObject> cluster, List<Pod> pods, long seed, PluginRegistry registry) {
        var engine = WorkloadCluster.start(cluster, seed, registry);
        List<String> nodes = PlacementRun.of(engine, pods).nodeNames(engine);
        List<Pod> placed = new ArrayList<>(pods.size());
        for (int i = 0; i < nodes.size(); i++) {
            if (nodes.get(i).isEmpty()) {
                throw new IllegalStateException(
                        "there is no room for " + pods.get(i).key());
            }
            placed.add(PodBuilder.from(pods.get(i)).nodeName(nodes.get(i)).build());
        }
        return placed;
    }
}
