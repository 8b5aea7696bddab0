package io.evenkeel.cluster.node;

import io.evenkeel.cluster.index.AuditFacts;
import io.evenkeel.cluster.index.Differences;
import io.evenkeel.cluster.shape.PodResources;
import io.evenkeel.cluster.shape.ResourceNames;
import io.evenkeel.model.Node;
import io.evenkeel.model.value.Quantity;
import java.util.HashMap;
import java.util.Map;

/** Audits the columns of the node table: what nodes have, and what their pods take. */
final class NodeColumnAudit {

    /** The resources that the pods of one node take together. */
    private static final class Usage {
        final Map<Integer, Long> requested = new HashMap<>();
        long nonZeroCpu;
        long nonZeroMemory;
        int pods;
    }

    private final ResourceNames resources;
    private final NodeTable nodes;
    private final AuditFacts facts;
    private final Differences differences;

    NodeColumnAudit(NodeTable nodes, ResourceNames resources, AuditFacts facts, Differences differences) {
        this.resources = resources;
        this.nodes = nodes;
        this.facts = facts;
        this.differences = differences;
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
        differences.compare(() -> "nodes that offer " + name, nodes.columns().offers(resource), offers);
        differences.require(
                !nodes.columns().hasColumn(resource) || nodes.columns().mayHaveColumn(resource),
                () -> name + " has a column, but too few nodes offer it");
    }

    private Map<Integer, Usage> recountUsages() {
        Map<Integer, Usage> usages = new HashMap<>();
        for (AuditFacts.PlacedPod placed : facts.pods()) {
            PodResources taken = PodResources.of(placed.pod(), resources);
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
