package io.evenkeel.cluster.node;

import io.evenkeel.cluster.index.Differences;
import java.util.HashSet;
import java.util.Set;

/** Audits the rows of the node table: every row in use has a reason, every other is free to be used again. */
final class NodeRowAudit {
    private final NodeTable nodes;
    private final PodTable pods;
    private final Differences differences;

    NodeRowAudit(NodeTable nodes, PodTable pods, Differences differences) {
        this.nodes = nodes;
        this.pods = pods;
        this.differences = differences;
    }

    void run() {
        Set<Integer> free = new HashSet<>(nodes.freeRows());
        differences.compare(() -> "free node rows that differ", nodes.freeRows().size(), free.size());
        differences.compare(() -> "node rows, named and free", nodes.rowCount() + free.size(), nodes.end());
        int present = 0;
        for (int row = 0; row < nodes.end(); row++) {
            present += nodes.isPresent(row) ? 1 : 0;
            if (free.contains(row)) {
                checkFree(row);
            } else {
                checkUsed(row);
            }
        }
        differences.compare(() -> "nodes that are present", nodes.count(), present);
        differences.compare(
                () -> "size of the set of present nodes", nodes.present().size(), present);
    }

    private void checkFree(int row) {
        differences.compare(() -> "name of free node row " + row, nodes.name(row), "");
        differences.require(!nodes.isPresent(row), () -> "free node row " + row + " is present");
        differences.require(
                pods.firstOnNode(row) == PodTable.NONE, () -> "free node row " + row + " has pods linked to it");
    }

    private void checkUsed(int row) {
        differences.compare(() -> "row of node " + nodes.name(row), nodes.find(nodes.name(row)), row);
        differences.require(
                nodes.isPresent(row) || pods.firstOnNode(row) != PodTable.NONE,
                () -> "node " + nodes.name(row) + " is absent and has no pods, but keeps row " + row);
        if (nodes.isPresent(row)) {
            differences.compare(
                    () -> "name of node row " + row,
                    nodes.name(row),
                    nodes.node(row).name());
        }
    }
}
