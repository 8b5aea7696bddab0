package io.evenkeel.policies.status;

import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.framework.cycle.Diagnosis;
import io.evenkeel.framework.cycle.Diagnosis.Rejection;
import io.evenkeel.policies.PlacementPolicyPlugin;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Why nodes would not take a pod even without any policy, in a word. */
record Obstacles(Diagnosis diagnosis) {
    private static final Map<String, String> WORDS = Map.of(
            "NodeResourcesFit", "NoRoom",
            "TaintToleration", "Tainted",
            "NodeUnschedulable", "Cordoned");

    /** Of all these nodes what is in the way of most; empty where one would take the pod. */
    Optional<String> in(NodeSetView nodes) {
        if (nodes.isEmpty()) {
            return Optional.of("NoNodes");
        }
        Map<String, Integer> byPlugin = new TreeMap<>();
        for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
            Optional<String> plugin = against(node);
            if (plugin.isEmpty()) {
                return Optional.empty();
            }
            byPlugin.merge(plugin.get(), 1, Integer::sum);
        }
        return byPlugin.entrySet().stream()
                .max(Comparator.comparingInt(Map.Entry<String, Integer>::getValue))
                .map(most -> WORDS.getOrDefault(most.getKey(), most.getKey()));
    }

    /** One that a policy turns away has passed all plugins before, which are all others as a rule. */
    private Optional<String> against(int node) {
        if (diagnosis.excluded().contains(node)) {
            return Optional.of(String.join(",", diagnosis.narrowedBy()));
        }
        return diagnosis.rejections().stream()
                .filter(rejection -> rejection.nodes().contains(node))
                .map(Rejection::plugin)
                .filter(plugin -> !plugin.equals(PlacementPolicyPlugin.NAME))
                .findFirst();
    }
}
