package io.evenkeel.tools.replay;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.whatif.ClusterSnapshot;
import java.util.List;

/**
 * A cluster that something is asked of, as a scenario holds it.
 *
 * @param objects nodes, pods and all others
 */
public record ScenarioCluster(
        String name, SchedulerConfiguration configuration, PluginRegistry registry, List<KubernetesObject> objects) {
    /** The cluster with its bound pods, to try things on. */
    public ClusterSnapshot snapshot() {
        ClusterSnapshot snapshot = new ClusterSnapshot(configuration, registry);
        objects.forEach(snapshot::put);
        return snapshot;
    }
}
