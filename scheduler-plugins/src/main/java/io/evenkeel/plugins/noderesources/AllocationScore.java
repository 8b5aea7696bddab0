package io.evenkeel.plugins.noderesources;

import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.cluster.shape.ResourceNames;

/**
 * How much of a node would be allocated with a pod on it, as a score from 0 to 100: the weighted mean of what the
 * formula gives for each resource. Resources that the node has not are left out. CPU and memory are counted with the
 * defaults for containers that request none, on the pod's side as on the node's.
 */
final class AllocationScore {
    private final NodeTable nodes;
    private final AllocationFormula formula;
    private final ScoredResources resources;

    AllocationScore(NodeTable nodes, AllocationFormula formula, ScoredResources resources) {
        this.nodes = nodes;
        this.formula = formula;
        this.resources = resources;
    }

    int of(int node) {
        long sum = 0;
        long weights = 0;
        for (int i = 0; i < resources.size(); i++) {
            int resource = resources.resource(i);
            long capacity = nodes.allocatable(resource, node);
            if (capacity == 0) {
                continue;
            }
            long score = formula.score(used(resource, node) + resources.amount(i), capacity);
            if (score > 0 || formula.countsZeros()) {
                sum += score * resources.weight(i);
                weights += resources.weight(i);
            }
        }
        return weights == 0 ? 0 : formula.mean(sum, weights);
    }

    private long used(int resource, int node) {
        return switch (resource) {
            case ResourceNames.CPU -> nodes.nonZeroCpu(node);
            case ResourceNames.MEMORY -> nodes.nonZeroMemory(node);
            default -> nodes.requested(resource, node);
        };
    }
}
