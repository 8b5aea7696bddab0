package io.evenkeel.plugins.interpodaffinity;

import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.framework.cycle.ScoreClasses;
import org.jspecify.annotations.Nullable;

/** The worth of the domains of one topology to a pod. Nodes that are in none of them are worth nothing. */
final class DomainWeights {
    private @Nullable DomainCounter first;
    /** By domain + 1: the first place stands for {@link Topology#NO_DOMAIN} and stays zero. */
    private long[] weights = new long[1];

    /** Starts with one counter's sums, each times the factor. */
    void begin(DomainCounter counter, int factor) {
        first = counter;
        int end = counter.topology().end();
        if (weights.length <= end) {
            weights = new long[end + (end >> 2) + 1];
        }
        int[] sums = counter.sums();
        for (int domain = 0; domain < end; domain++) {
            weights[domain + 1] = (long) sums[domain] * factor;
        }
    }

    void add(DomainCounter counter, int factor) {
        int end = counter.topology().end();
        int[] sums = counter.sums();
        for (int domain = 0; domain < end; domain++) {
            weights[domain + 1] += (long) sums[domain] * factor;
        }
    }

    @SuppressWarnings("ReferenceEquality") // a topology exists once
    boolean isOf(Topology topology) {
        return topology() == topology;
    }

    /** Whether there are few domains, each with the set of its nodes. */
    boolean hasNodeSets() {
        return topology().hasNodeSets();
    }

    long weightAt(int node) {
        return weights[1 + topology().domainOf(node)];
    }

    void copyTo(long[] byNode, int end, Topology.Column column) {
        int[] domains = column.of(topology(), end);
        for (int node = 0; node < end; node++) {
            byNode[node] = weights[1 + domains[node]];
        }
    }

    void addTo(long[] byNode, int end, Topology.Column column) {
        int[] domains = column.of(topology(), end);
        for (int node = 0; node < end; node++) {
            byNode[node] += weights[1 + domains[node]];
        }
    }

    /** Measures the weights of the feasible nodes domain by domain; needs node sets. */
    void measure(MinMaxScale scale, NodeSet feasible) {
        scale.begin();
        if (!first().eligibility().nodes().containsAll(feasible)) {
            scale.include(0);
        }
        for (int domain = 0; domain < topology().end(); domain++) {
            if (topology().nodesOf(domain).intersects(feasible)) {
                scale.include(weights[domain + 1]);
            }
        }
    }

    /** Gives the nodes of each domain its weight on the scale; needs node sets. */
    void say(ScoreClasses classes, NodeSet feasible, MinMaxScale scale) {
        for (int domain = 0; domain < topology().end(); domain++) {
            NodeSetView nodes = topology().nodesOf(domain);
            if (nodes.intersects(feasible)) {
                classes.add(nodes, nodes, NodeSetView.NONE, scale.scoreOf(weights[domain + 1]));
            }
        }
        if (!topology().nodes().containsAll(feasible)) {
            classes.add(feasible, feasible, topology().nodes(), scale.scoreOf(0));
        }
    }

    private Topology topology() {
        return first().topology();
    }

    private DomainCounter first() {
        if (first == null) {
            throw new IllegalStateException("no counter was added yet");
        }
        return first;
    }
}
