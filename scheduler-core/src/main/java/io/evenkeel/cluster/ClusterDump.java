package io.evenkeel.cluster;

import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.cluster.node.PodTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * All that can be read of a {@link ClusterState} as text, a line each, in an order that depends on the content alone:
 * equal dumps mean states that no caller can tell apart. To be looked at, and to be compared before and after.
 */
public final class ClusterDump {
    private final ClusterView cluster;
    private final NodeTable nodes;
    private final List<String> lines = new ArrayList<>();

    private ClusterDump(ClusterView cluster) {
        this.cluster = cluster;
        this.nodes = cluster.nodes();
    }

    public static String of(ClusterView cluster) {
        ClusterDump dump = new ClusterDump(cluster);
        dump.nodes();
        dump.pods();
        AuditFacts facts = ClusterAudit.factsOf(cluster);
        for (ClusterIndex index : cluster.indexes()) {
            List<String> lines = new ArrayList<>();
            index.describe(facts, lines::add);
            lines.stream().sorted().forEach(dump.lines::add);
        }
        return String.join("\n", dump.lines);
    }

    private void nodes() {
        for (int node = 0; node < nodes.end(); node++) {
            if (nodes.name(node).isEmpty()) {
                continue;
            }
            String record = nodes.isPresent(node) ? nodes.node(node).toString() : "absent";
            lines.add("node " + nodes.name(node) + " #" + node + " " + record);
            lines.add("  allocatable " + amounts(node, nodes::allocatable) + " pods=" + nodes.allowedPods(node));
            lines.add("  requested " + amounts(node, nodes::requested) + " pods=" + nodes.podCount(node)
                    + " nonZeroCpu=" + nodes.nonZeroCpu(node) + " nonZeroMemory=" + nodes.nonZeroMemory(node));
        }
    }

    private interface Column {
        long amount(int resource, int node);
    }

    private Map<String, Long> amounts(int node, Column column) {
        Map<String, Long> amounts = new TreeMap<>();
        for (int resource = 0; resource < cluster.resources().end(); resource++) {
            if (column.amount(resource, node) != 0) {
                amounts.put(cluster.resources().nameOf(resource), column.amount(resource, node));
            }
        }
        return amounts;
    }

    /** In the order in which they are walked on their nodes. */
    private void pods() {
        PodTable pods = cluster.pods();
        for (int node = 0; node < nodes.end(); node++) {
            for (int row = pods.firstOnNode(node); row != PodTable.NONE; row = pods.nextOnNode(row)) {
                lines.add("pod on " + nodes.name(node) + (pods.isAssumed(row) ? ", assumed, " : " ") + pods.pod(row));
            }
        }
    }
}
