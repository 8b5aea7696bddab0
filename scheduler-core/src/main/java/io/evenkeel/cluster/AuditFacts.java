package io.evenkeel.cluster;

import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * What an audit recounts from: the records of nodes and pods as the API gave them, and nothing that was counted.
 *
 * @param nodes the nodes that are present by id
 * @param pods the pods in place, each with its node
 */
record AuditFacts(Map<Integer, Node> nodes, List<PlacedPod> pods, Namespaces namespaces) {

    /** A pod and the id of the node that it says it is on, or was assumed on. */
    record PlacedPod(Pod pod, int node) {}

    static AuditFacts of(ClusterView cluster) {
        Map<Integer, Node> nodes = new LinkedHashMap<>();
        NodeSet present = cluster.nodes().present();
        for (int node = present.first(); node >= 0; node = present.next(node + 1)) {
            nodes.put(node, cluster.nodes().node(node));
        }
        List<PlacedPod> pods = new ArrayList<>();
        PodTable table = cluster.pods();
        for (int row = 0; row < table.end(); row++) {
            if (!table.isFree(row)) {
                Pod pod = table.pod(row);
                int node = table.isAssumed(row)
                        ? table.node(row)
                        : cluster.nodes().find(pod.spec().nodeName());
                pods.add(new PlacedPod(pod, node));
            }
        }
        return new AuditFacts(nodes, pods, cluster.namespaces());
    }

    /** The number of pods that pass, by node. */
    Map<Integer, Integer> podsByNode(Predicate<Pod> test) {
        Map<Integer, Integer> counts = new LinkedHashMap<>();
        for (PlacedPod placed : pods) {
            if (test.test(placed.pod())) {
                counts.merge(placed.node(), 1, Integer::sum);
            }
        }
        return counts;
    }

    /** Compares numbers by node, wherever one of both sides has one that is not zero. */
    static void compareCounts(
            Differences differences, String what, NodeCounts kept, Map<Integer, Integer> recounted, NodeTable nodes) {
        kept.forEachNode(node -> differences.compare(
                () -> what + " on node " + nameOf(nodes, node), kept.get(node), recounted.getOrDefault(node, 0)));
        recounted.forEach((node, count) -> {
            if (kept.get(node) == 0) {
                differences.compare(() -> what + " on node " + nameOf(nodes, node), 0, count);
            }
        });
    }

    /** Names the row, which may be one that is free. */
    static String nameOf(NodeTable nodes, int node) {
        String name = node >= 0 && node < nodes.end() ? nodes.name(node) : "";
        return name.isEmpty() ? "(free row " + node + ")" : name;
    }
}
