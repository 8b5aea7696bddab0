package io.evenkeel.policies;

import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.UncrowdedNodes;
import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.framework.cycle.Rejections;
import io.evenkeel.policies.PolicyReading.Limit;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;

/** Takes out nodes of domains in which a pod more would break a rule; the first limit that is broken gives the reason. */
final class PolicyFilter {
    private static final int NONE = 0;

    private final ClusterView cluster;
    private final UncrowdedNodes uncrowded;
    private final NodeSet chosen = new NodeSet();

    PolicyFilter(ClusterView cluster) {
        this.cluster = cluster;
        this.uncrowded = new UncrowdedNodes(cluster.nodes());
    }

    void filter(List<BoundPolicy> policies, PodInfo pod, NodeSet candidates, Rejections rejections) {
        for (int i = 0; i < policies.size(); i++) {
            List<BoundRule> rules = policies.get(i).hardRules(pod.pod());
            cluster.work().addSets(2 * rules.size(), cluster.nodes().end());
            for (int j = 0; j < rules.size(); j++) {
                filter(rules.get(j).bounds(pod.shape()), candidates, rejections);
            }
        }
    }

    static Status filterOne(List<BoundPolicy> policies, PodInfo pod, int node) {
        for (BoundPolicy policy : policies) {
            for (BoundRule rule : policy.hardRules(pod.pod())) {
                RuleBounds bounds = rule.bounds(pod.shape());
                Optional<Limit> broken = bounds.brokenIn(rule.topology().domainOf(node));
                if (broken.isPresent()) {
                    return bounds.status(broken.get());
                }
            }
        }
        return Status.SUCCESS;
    }

    private void filter(RuleBounds bounds, NodeSet candidates, Rejections rejections) {
        BoundRule rule = bounds.bound();
        DomainCounter counter = rule.counter();
        rejections.keepOnly(candidates, rule.topology().nodes(), bounds.status(Limit.LABEL));
        if (bounds.mostPods() < Integer.MAX_VALUE) {
            NodeSetView below = uncrowded.among(candidates, counter, bounds.mostPods());
            rejections.keepOnly(candidates, below, bounds.status(bounds.cap()));
        }
        if (bounds.onlyInUse()) {
            NodeSetView unused = uncrowded.among(candidates, counter, NONE);
            rejections.reject(candidates, unused, bounds.status(Limit.MAX_DOMAINS));
        }
        if (bounds.isOneMissing()) {
            NodeSetView awaited = bounds.onlyMissing()
                    ? nodesOf(rule.topology(), bounds::isMissing)
                    : uncrowded.among(candidates, counter, NONE);
            rejections.keepOnly(candidates, awaited, bounds.status(Limit.MUST_USE));
        }
        if (bounds.isWeighted()) {
            rejections.keepOnly(candidates, nodesOf(rule.topology(), bounds::isTurnOf), bounds.status(Limit.WEIGHTS));
        }
        if (bounds.mostBySkew() < Integer.MAX_VALUE) {
            NodeSetView even = uncrowded.among(candidates, bounds.open(), bounds.mostBySkew());
            rejections.keepOnly(candidates, even, bounds.status(Limit.MAX_SKEW));
        }
    }

    private NodeSetView nodesOf(Topology topology, IntPredicate wanted) {
        chosen.clear();
        if (topology.hasNodeSets()) {
            for (int domain = 0; domain < topology.end(); domain++) {
                if (wanted.test(domain)) {
                    chosen.addAll(topology.nodesOf(domain));
                }
            }
            return chosen;
        }
        NodeSetView nodes = topology.nodes();
        for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
            if (wanted.test(topology.domainOf(node))) {
                chosen.add(node);
            }
        }
        return chosen;
    }
}
