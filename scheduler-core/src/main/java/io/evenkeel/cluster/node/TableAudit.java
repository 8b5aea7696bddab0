package io.evenkeel.cluster.node;

import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.cluster.shape.PodRequests;
import io.evenkeel.cluster.shape.PodResources;
import io.evenkeel.cluster.shape.ResourceNames;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.value.Quantity;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Audits the tables of nodes and pods: their rows, links and columns. */
public final class TableAudit {
    private TableAudit() {}

    public static void run(
            NodeTable nodes,
            PodTable pods,
            ResourceNames resources,
            PodRequests requests,
            AuditFacts facts,
            Differences differences) {
        new NodeRowAudit(nodes, pods, differences).run();
        new PodRowAudit(nodes, pods, facts, differences).run();
        new NodeColumnAudit(nodes, resources, requests, facts, differences).run();
    }

    /** Audits the columns of the node table: what nodes have, and what their pods take. */
    private record NodeColumnAudit(
            NodeTable nodes, ResourceNames resources, PodRequests requests, AuditFacts facts, Differences differences) {
        /** The resources that the pods of one node take together. */
        private static final class Usage {
            final Map<Integer, Long> requested = new HashMap<>();
            long nonZeroCpu;
            long nonZeroMemory;
            int pods;
        }

        void run() {
            Map<Integer, Usage> usages = recountUsages();
            for (int node = 0; node < nodes.end(); node++) {
                checkUsage(node, usages.getOrDefault(node, new Usage()));
                checkAllocatable(node);
            }
            for (int resource = 0; resource < resources.end(); resource++) {
                checkColumn(resource);
            }
        }

        private void checkColumn(int resource) {
            String name = resources.nameOf(resource);
            int offers = 0;
            for (int node = 0; node < nodes.end(); node++) {
                offers += nodes.allocatable(resource, node) != 0 ? 1 : 0;
            }
            differences.compare(
                    () -> "nodes that offer " + name, nodes.columns().offers(resource), offers);
            differences.require(
                    !nodes.columns().hasColumn(resource) || nodes.columns().mayHaveColumn(resource),
                    () -> name + " has a column, but too few nodes offer it");
        }

        private Map<Integer, Usage> recountUsages() {
            Map<Integer, Usage> usages = new HashMap<>();
            for (AuditFacts.PlacedPod placed : facts.pods()) {
                PodResources taken = PodResources.of(placed.pod(), resources, requests);
                Usage usage = usages.computeIfAbsent(placed.node(), node -> new Usage());
                for (int i = 0; i < taken.requests().size(); i++) {
                    usage.requested.merge(
                            taken.requests().resourceAt(i), taken.requests().amountAt(i), Long::sum);
                }
                usage.nonZeroCpu += taken.nonZeroCpu();
                usage.nonZeroMemory += taken.nonZeroMemory();
                usage.pods++;
            }
            return usages;
        }

        private void checkUsage(int node, Usage recounted) {
            String at = " of node " + facts.nameOf(node);
            for (int resource = 0; resource < resources.end(); resource++) {
                String name = resources.nameOf(resource);
                differences.compare(
                        () -> "requested " + name + at,
                        nodes.requested(resource, node),
                        recounted.requested.getOrDefault(resource, 0L));
            }
            differences.compare(() -> "non-zero cpu" + at, nodes.nonZeroCpu(node), recounted.nonZeroCpu);
            differences.compare(() -> "non-zero memory" + at, nodes.nonZeroMemory(node), recounted.nonZeroMemory);
            differences.compare(() -> "number of pods" + at, nodes.podCount(node), recounted.pods);
        }

        private void checkAllocatable(int node) {
            Node record = facts.nodes().get(node);
            Map<String, Quantity> amounts = record == null ? Map.of() : record.allocatable();
            String at = " of node " + facts.nameOf(node);
            for (int resource = 0; resource < resources.end(); resource++) {
                String name = resources.nameOf(resource);
                boolean counted = resources.isCounted(resource);
                Quantity amount = counted ? amounts.getOrDefault(name, Quantity.ZERO) : Quantity.ZERO;
                differences.compare(
                        () -> "allocatable " + name + at,
                        nodes.allocatable(resource, node),
                        name.equals(ResourceNames.CPU_NAME) ? amount.milliValue() : amount.value());
            }
            differences.compare(
                    () -> "allowed pods" + at,
                    nodes.allowedPods(node),
                    amounts.getOrDefault(ResourceNames.PODS_NAME, Quantity.ZERO).value());
        }
    }

    /** Audits the rows of the node table: every row in use has a reason, every other is free to be used again. */
    private record NodeRowAudit(NodeTable nodes, PodTable pods, Differences differences) {
        void run() {
            Set<Integer> free = new HashSet<>(nodes.freeRows());
            differences.compare(
                    () -> "free node rows that differ", nodes.freeRows().size(), free.size());
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

    /** Audits the rows of the pod table, and that each pod in place is linked to its node and nowhere else. */
    private record PodRowAudit(NodeTable nodes, PodTable pods, AuditFacts facts, Differences differences) {
        void run() {
            Set<Integer> free = new HashSet<>(pods.freeRows());
            differences.compare(
                    () -> "free pod rows that differ", pods.freeRows().size(), free.size());
            differences.compare(() -> "pod rows, used and free", pods.count() + free.size(), pods.end());
            for (int row = 0; row < pods.end(); row++) {
                int checked = row;
                differences.compare(
                        () -> "whether pod row " + checked + " is free", pods.isFree(row), free.contains(row));
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
            differences.compare(
                    () -> "node whose list has pod " + name, facts.nameOf(node), facts.nameOf(pods.node(row)));
            differences.compare(() -> "row before pod " + name + " on its node", pods.previousOnNode(row), previous);
        }
    }
}
