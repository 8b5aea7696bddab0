package io.evenkeel.plugins.noderesources;

import io.evenkeel.cluster.node.NodeTable;

/**
 * A score of how evenly a node's resources would be used with a pod on it, against how evenly they are used now.
 *
 * <p>With σ the population standard deviation of requested / allocatable over the resources that the node has, each
 * fraction capped at 1, the balance is B = ⌊(1 − σ) · 100⌋, and the score 50 + (50 + B with the pod − B without) / 2. The
 * doubles are rounded in the reference's order of operations.
 */
final class BalanceScore {
    private final NodeTable nodes;
    private final ScoredResources resources;
    private final double[] fractions;

    BalanceScore(NodeTable nodes, ScoredResources resources) {
        this.nodes = nodes;
        this.resources = resources;
        this.fractions = new double[resources.size()];
    }

    int of(int node) {
        return 50 + (50 + balance(node, 1) - balance(node, 0)) / 2;
    }

    private int balance(int node, int pods) {
        int count = 0;
        double sum = 0;
        for (int i = 0; i < fractions.length; i++) {
            int resource = resources.resource(i);
            long capacity = nodes.allocatable(resource, node);
            if (capacity != 0) {
                long requested = nodes.requested(resource, node) + pods * resources.amount(i);
                double fraction = Math.min((double) requested / (double) capacity, 1);
                sum += fraction;
                fractions[count++] = fraction;
            }
        }
        return (int) ((1 - deviation(count, sum)) * 100);
    }

    private double deviation(int count, double sum) {
        if (count < 2) {
            return 0;
        }
        if (count == 2) {
            return Math.abs((fractions[0] - fractions[1]) / 2);
        }
        double mean = sum / count;
        double squares = 0;
        for (int i = 0; i < count; i++) {
            squares += (fractions[i] - mean) * (fractions[i] - mean);
        }
        return Math.sqrt(squares / count);
    }
}
