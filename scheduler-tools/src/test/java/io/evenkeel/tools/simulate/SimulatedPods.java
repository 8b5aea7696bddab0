package io.evenkeel.tools.simulate;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.tools.simulate.Outcome.Verdict;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a simulation of a cluster as it is says of its pods that wait, by their keys.
 *
 * @param said why a pod goes on to wait, or where it goes
 * @param placed the pods that find a node
 * @param evicted the pods that go for others
 */
public record SimulatedPods(Map<String, String> said, List<String> placed, List<String> evicted) {
    public static SimulatedPods of(
            Collection<KubernetesObject> cluster, SchedulerConfiguration configuration, PluginRegistry plugins) {
        Outcome outcome = Simulation.run(new ChangedCluster(new ClusterPicture(cluster)), configuration, plugins);
        Map<String, String> said = new HashMap<>();
        List<String> placed = new ArrayList<>();
        outcome.pods().forEach(decided -> {
            String pod = decided.arrival().pod().key();
            said.put(
                    pod,
                    decided.verdict() instanceof Verdict.Waits(var why)
                            ? why
                            : decided.verdict().toString());
            if (decided.verdict() instanceof Verdict.Placed) {
                placed.add(pod);
            }
        });
        return new SimulatedPods(
                said,
                placed,
                outcome.evicted().stream().map(each -> each.pod().key()).toList());
    }
}
