package io.evenkeel.plugins.podtopologyspread;

import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.UncrowdedNodes;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.framework.cycle.Rejections;
import io.evenkeel.model.value.Labels;
import java.util.List;

/**
 * Takes out nodes on which a pod would break a hard constraint. The constraints are asked in the order in which the pod
 * has them; the first that a node fails gives the reason.
 */
final class SkewFilter {
    private final ClusterView cluster;
    private final UncrowdedNodes uncrowded;

    SkewFilter(ClusterView cluster) {
        this.cluster = cluster;
        this.uncrowded = new UncrowdedNodes(cluster.nodes());
    }

    void filter(List<HardConstraint> constraints, Labels podLabels, NodeSet candidates, Rejections rejections) {
        cluster.work().addSets(2 * constraints.size(), cluster.nodes().end());
        for (int i = 0; i < constraints.size() && !candidates.isEmpty(); i++) {
            HardConstraint constraint = constraints.get(i);
            int mostAllowed = constraint.mostAllowed(constraint.selfMatch(podLabels));
            Topology topology = constraint.topology();
            if (topology.nodeCount() < cluster.nodes().count()) {
                rejections.keepOnly(candidates, topology.nodes(), HardConstraint.MISSING_LABEL);
            }
            rejections.reject(
                    candidates,
                    uncrowded.crowdedAmong(candidates, constraint.counter(), mostAllowed),
                    HardConstraint.TOO_SKEWED);
        }
    }

    /** Takes out the same nodes for no reason given. */
    void keepPassing(List<HardConstraint> constraints, Labels podLabels, NodeSet nodes) {
        cluster.work().addSets(2 * constraints.size(), cluster.nodes().end());
        for (int i = 0; i < constraints.size(); i++) {
            HardConstraint constraint = constraints.get(i);
            nodes.retainAll(constraint.topology().nodes());
            nodes.removeAll(uncrowded.crowdedAmong(
                    nodes, constraint.counter(), constraint.mostAllowed(constraint.selfMatch(podLabels))));
        }
    }

    static Status filterOne(List<HardConstraint> constraints, Labels podLabels, int node) {
        for (HardConstraint constraint : constraints) {
            Status verdict = constraint.verdict(node, constraint.selfMatch(podLabels), 0);
            if (!verdict.isSuccess()) {
                return verdict;
            }
        }
        return Status.SUCCESS;
    }
}
