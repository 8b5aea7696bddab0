package io.evenkeel.cluster.index;

import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.Predicate;

/**
 * The facts that an audit recounts from: the records of nodes and pods as the API gave them, and nothing that was counted.
 *
 * @param nodes the nodes that are present by id
 * @param pods the pods in place, each with its node
 * @param names the names of the nodes' rows, empty for a row that is free
 */
public record AuditFacts(Map<Integer, Node> nodes, List<PlacedPod> pods, IntFunction<String> names) {

    /** A pod and the id of the node that it says it is on, or was assumed on. */
    public record PlacedPod(Pod pod, int node) {}

    /** The number of pods that pass, by node. */
    public Map<Integer, Integer> podsByNode(Predicate<Pod> test) {
        Map<Integer, Integer> counts = new LinkedHashMap<>();
        for (PlacedPod placed : pods) {
            if (test.test(placed.pod())) {
                counts.merge(placed.node(), 1, Integer::sum);
            }
        }
        return counts;
    }

    /** Names the row, which may be one that is free. */
    public String nameOf(int node) {
        String name = node < 0 ? "" : names.apply(node);
        return name.isEmpty() ? "(free row " + node + ")" : name;
    }
}
