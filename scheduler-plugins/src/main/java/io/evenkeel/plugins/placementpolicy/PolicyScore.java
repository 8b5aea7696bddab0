package io.evenkeel.plugins.placementpolicy;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.framework.cycle.NodeScores;
import io.evenkeel.plugins.placementpolicy.bound.BoundPolicy;
import io.evenkeel.plugins.placementpolicy.bound.BoundRule;
import io.evenkeel.plugins.placementpolicy.bound.RuleBounds;
import io.evenkeel.plugins.placementpolicy.bound.SoftRanks;
import java.util.List;

/**
 * Prefers the nodes where a pod would exceed the skew of the soft rules least, and before that the one of rules that yield, in the order
 * of policies and rules. All that are within a rule's skew are alike to it.
 */
final class PolicyScore {
    private final ClusterView cluster;
    private final SoftRanks ranks = new SoftRanks();
    private final Topology.Column column = new Topology.Column();

    PolicyScore(ClusterView cluster) {
        this.cluster = cluster;
    }

    void score(List<BoundPolicy> policies, PodInfo pod, NodeSet feasible, NodeScores scores) {
        int end = cluster.nodes().end();
        ranks.begin(feasible, end);
        for (int i = 0; i < policies.size(); i++) {
            if (policies.get(i).isRelaxed()) {
                preferStrictly(policies.get(i).hardRules(pod.pod()), pod, end);
            }
            List<BoundRule> rules = policies.get(i).softRules(pod.pod());
            for (int j = 0; j < rules.size(); j++) {
                refine(rules.get(j).bounds(pod.shape()), end);
            }
        }
        ranks.score(scores);
    }

    /**
     * A domain that is not waited for takes some of the pods nevertheless, such as smaller ones, or has room again: they go there
     * first. The others are as even as they can be.
     */
    private void preferStrictly(List<BoundRule> rules, PodInfo pod, int end) {
        for (int i = 0; i < rules.size(); i++) {
            BoundRule rule = rules.get(i);
            if (!rule.relaxed().isEmpty()) {
                refine(rule.strictBounds(pod.shape()), end);
            }
        }
    }

    private void refine(RuleBounds bounds, int end) {
        DomainCounter open = bounds.open();
        ranks.refine(column.of(open.topology(), end), open.sums(), bounds.mostBySkew());
    }
}
