package io.evenkeel.cluster;

import io.evenkeel.model.Node;
import io.evenkeel.model.Quantity;
import java.util.HashMap;
import java.util.Map;

/** Audits the columns of the node table: what nodes have, and what their pods take. */
final class NodeColumnAudit {

    /** What the pods of one node take together. */
    private static final class Usage {
        final Map<Integer, Long> requested = new HashMap<>();
        long nonZeroCpu;
        long nonZeroMemory;
        int pods;
    }

    private final ClusterView cluster;
    private final NodeTable nodes;
    private final AuditFacts facts;
    private final Differences differences;

    NodeColumnAudit(ClusterView cluster, AuditFacts facts, Differences differences) {
        this.cluster = cluster;
        this.nodes = cluster.nodes();
        this.facts = facts;
        this.differences = differences;
    }

    void run() {
        Map<Integer, Usage> usages = recountUsages();
        for (int node = 0; node < nodes.end(); node++) {
            checkUsage(node, usages.getOrDefault(node, new Usage()));
            checkAllocatable(node);
        }
    }

    private Map<Integer, Usage> recountUsages() {
        PodResourcesReader reader = new PodResourcesReader(cluster.resources());
        Map<Integer, Usage> usages = new HashMap<>();
        for (AuditFacts.PlacedPod placed : facts.pods()) {
            PodResources resources = reader.read(placed.pod());
            Usage usage = usages.computeIfAbsent(placed.node(), node -> new Usage());
            for (int i = 0; i < resources.requests().size(); i++) {
                usage.requested.merge(
                        resources.requests().resourceAt(i), resources.requests().amountAt(i), Long::sum);
            }
            usage.nonZeroCpu += resources.nonZeroCpu();
            usage.nonZeroMemory += resources.nonZeroMemory();
            usage.pods++;
        }
        return usages;
    }

    private void checkUsage(int node, Usage recounted) {
        String at = " of node " + facts.nameOf(node);
        for (int resource = 0; resource < cluster.resources().count(); resource++) {
            String name = cluster.resources().nameOf(resource);
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
        for (int resource = 0; resource < cluster.resources().count(); resource++) {
            String name = cluster.resources().nameOf(resource);
            boolean counted = cluster.resources().isCounted(resource);
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
