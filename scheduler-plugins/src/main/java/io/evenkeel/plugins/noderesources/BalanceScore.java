package io.evenkeel.plugins.noderesources;

import io.evenkeel.cluster.node.NodeTable;
import java.util.Optional;
import java.util.function.IntUnaryOperator;

/**
 * A score of how evenly a node's resources would be used with a pod on it, against how evenly they are used now.
 *
 * <p>With σ the population standard deviation of requested / allocatable over the resources that the node has, each
 * fraction capped at 1, the balance is B = ⌊(1 − σ) · 100⌋, and the score 50 + (50 + B with the pod − B without) / 2. The
 * doubles are rounded in the reference's order of operations.
 */
final class BalanceScore {
    private static final double NOT_THERE = -1;

    private final NodeTable nodes;
    private final ScoredResources resources;
    private final IntUnaryOperator balanceNow;
    private final double[] fractions;

    private BalanceScore(NodeTable nodes, ScoredResources resources, Optional<IntUnaryOperator> balanceNow) {
        this.nodes = nodes;
        this.resources = resources;
        this.balanceNow = balanceNow.orElse(node -> balance(node, 0));
        this.fractions = new double[resources.size()];
    }

    BalanceScore(NodeTable nodes, ScoredResources resources) {
        this(nodes, resources, Optional.empty());
    }

    /** Takes the kept balance of nodes without the pod, by the same resources. */
    BalanceScore(NodeTable nodes, ScoredResources resources, IntUnaryOperator balanceNow) {
        this(nodes, resources, Optional.of(balanceNow));
    }

    int of(int node) {
        return 50 + (50 + balance(node, 1) - balanceNow.applyAsInt(node)) / 2;
    }

    /** B without the pod. */
    int balanceNow(int node) {
        return balance(node, 0);
    }

    private int balance(int node, int pods) {
        double deviation = fractions.length == 2 ? deviationOfTwo(node, pods) : deviationOfAny(node, pods);
        return (int) ((1 - deviation) * 100);
    }

    /** Takes fewer steps for two resources, which are scored unless somebody says otherwise. */
    private double deviationOfTwo(int node, int pods) {
        double one = fraction(0, node, pods);
        double other = fraction(1, node, pods);
        return one == NOT_THERE || other == NOT_THERE ? 0 : halfDistance(one, other);
    }

    private double deviationOfAny(int node, int pods) {
        int count = 0;
        double sum = 0;
        for (int i = 0; i < fractions.length; i++) {
            double fraction = fraction(i, node, pods);
            if (fraction != NOT_THERE) {
                sum += fraction;
                fractions[count++] = fraction;
            }
        }
        return switch (count) {
            case 0, 1 -> 0;
            case 2 -> halfDistance(fractions[0], fractions[1]);
            default -> deviation(count, sum / count);
        };
    }

    private double deviation(int count, double mean) {
        double squares = 0;
        for (int i = 0; i < count; i++) {
            squares += (fractions[i] - mean) * (fractions[i] - mean);
        }
        return Math.sqrt(squares / count);
    }

    private static double halfDistance(double one, double other) {
        return Math.abs((one - other) / 2);
    }

    /** How much of the node's resource would be requested, at most all of it. */
    private double fraction(int index, int node, int pods) {
        int resource = resources.resource(index);
        long capacity = nodes.allocatable(resource, node);
        if (capacity == 0) {
            return NOT_THERE;
        }
        long requested = nodes.requested(resource, node) + pods * resources.amount(index);
        return Math.min((double) requested / (double) capacity, 1);
    }
}
