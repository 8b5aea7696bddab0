package io.evenkeel.cluster.node;

import io.evenkeel.cluster.index.AuditFacts;
import io.evenkeel.cluster.index.Differences;
import io.evenkeel.model.Pod;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;

/** Audits the rows of the pod table, and that each pod in place is linked to its node and nowhere else. */
final class PodRowAudit {
    private final AuditFacts facts;
    private final NodeTable nodes;
    private final PodTable pods;
    private final Differences differences;

    PodRowAudit(NodeTable nodes, PodTable pods, AuditFacts facts, Differences differences) {
        this.facts = facts;
        this.nodes = nodes;
        this.pods = pods;
        this.differences = differences;
    }

    void run() {
        Set<Integer> free = new HashSet<>(pods.freeRows());
        differences.compare(() -> "free pod rows that differ", pods.freeRows().size(), free.size());
        differences.compare(() -> "pod rows, used and free", pods.count() + free.size(), pods.end());
        for (int row = 0; row < pods.end(); row++) {
            int checked = row;
            differences.compare(() -> "whether pod row " + checked + " is free", pods.isFree(row), free.contains(row));
            if (!pods.isFree(row)) {
                checkUsed(row);
            }
        }
        checkLinks();
    }

    private void checkUsed(int row) {
        Pod pod = pods.pod(row);
        differences.compare(() -> "row of pod " + pod.key(), pods.find(pod.key()), row);
        String node = facts.nameOf(pods.node(row));
        if (!pods.isAssumed(row)) {
            differences.compare(
                    () -> "node of pod " + pod.key(), node, pod.spec().nodeName());
        }
        differences.require(!pod.status().isFinished(), () -> "pod " + pod.key() + " has finished, but is kept");
    }

    private void checkLinks() {
        BitSet linked = new BitSet();
        for (int node = 0; node < nodes.end(); node++) {
            int previous = PodTable.NONE;
            for (int row = pods.firstOnNode(node); row != PodTable.NONE; row = pods.nextOnNode(row)) {
                if (linked.get(row) || pods.isFree(row)) {
                    String where = facts.nameOf(node);
                    int broken = row;
                    differences.require(
                            false, () -> "the list of node " + where + " runs into pod row " + broken + " wrongly");
                    break;
                }
                linked.set(row);
                checkLink(row, node, previous);
                previous = row;
            }
        }
        differences.compare(() -> "pods that are linked to a node", linked.cardinality(), pods.count());
    }

    private void checkLink(int row, int node, int previous) {
        String name = pods.pod(row).key();
        differences.compare(() -> "node whose list has pod " + name, facts.nameOf(node), facts.nameOf(pods.node(row)));
        differences.compare(() -> "row before pod " + name + " on its node", pods.previousOnNode(row), previous);
    }
}
