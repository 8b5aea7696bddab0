package io.evenkeel.plugins.interpodaffinity;

import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.UncrowdedNodes;
import io.evenkeel.cluster.counting.CarriedTerm;
import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.framework.cycle.Rejections;
import java.util.List;

/**
 * The hard rules, in the order in which a node's verdict is found: the pod's own affinity, its own anti-affinity, the
 * anti-affinity of the pods in place.
 */
final class AffinityFilter {
    static final Status LACKS_COMPANIONS = Status.unresolvable("node(s) didn't match pod affinity rules");
    static final Status HAS_SHUNNED_PODS = Status.unschedulable("node(s) didn't match pod anti-affinity rules");
    static final Status SHUNNED_BY_PODS =
            Status.unschedulable("node(s) didn't satisfy existing pods anti-affinity rules");

    private final ClusterView cluster;
    private final NodeSet nodes = new NodeSet();
    private final UncrowdedNodes uncrowded;

    AffinityFilter(ClusterView cluster) {
        this.cluster = cluster;
        this.uncrowded = new UncrowdedNodes(cluster.nodes());
    }

    /** Whether terms of pods in place keep a pod that they match out of any domain. */
    static boolean keepsOut(List<CarriedTerm> matching) {
        for (int i = 0; i < matching.size(); i++) {
            if (keepsOut(matching.get(i))) {
                return true;
            }
        }
        return false;
    }

    Status verdict(PodInfo pod, OwnRules own, List<CarriedTerm> matching, int node) {
        cluster.work().add(own.affinity().size() + own.antiAffinity().size());
        cluster.work().addOfOthers(matching.size());
        if (!own.affinity().isEmpty() && !hasCompanions(pod, own, node)) {
            return LACKS_COMPANIONS;
        }
        for (DomainCounter counter : own.antiAffinity()) {
            if (isOccupied(counter, node)) {
                return HAS_SHUNNED_PODS;
            }
        }
        for (CarriedTerm term : matching) {
            if (keepsOut(term) && isOccupied(term.counter(), node)) {
                return SHUNNED_BY_PODS;
            }
        }
        return Status.SUCCESS;
    }

    void filterAll(PodInfo pod, OwnRules own, List<CarriedTerm> matching, NodeSet candidates, Rejections rejections) {
        cluster.work()
                .addSets(
                        own.affinity().size() + own.antiAffinity().size(),
                        cluster.nodes().end());
        cluster.work().addOfOthers(matching.size());
        if (!own.affinity().isEmpty()) {
            keepNodesWithCompanions(pod, own, candidates, rejections);
        }
        NodeSetView shunned = NodeSetView.NONE;
        for (int i = 0; i < own.antiAffinity().size(); i++) {
            shunned = withOccupied(shunned, own.antiAffinity().get(i), candidates);
        }
        rejections.reject(candidates, shunned, HAS_SHUNNED_PODS);
        NodeSetView shunning = NodeSetView.NONE;
        for (int i = 0; i < matching.size(); i++) {
            if (keepsOut(matching.get(i))) {
                shunning = withOccupied(shunning, matching.get(i).counter(), candidates);
            }
        }
        rejections.reject(candidates, shunning, SHUNNED_BY_PODS);
    }

    /** What was found so far, and the nodes in a domain with any of the pods that the counter counts. */
    @SuppressWarnings(
            "ReferenceEquality") // mostly there is one counter, whose nodes are not copied; a set found before is, as
    // the next question takes its place
    private NodeSetView withOccupied(NodeSetView sofar, DomainCounter counter, NodeSet candidates) {
        if (sofar == NodeSetView.NONE) {
            return occupied(counter, candidates);
        }
        if (sofar != nodes) {
            nodes.copyFrom(sofar);
        }
        nodes.addAll(occupied(counter, candidates));
        return nodes;
    }

    private NodeSetView occupied(DomainCounter counter, NodeSet candidates) {
        return uncrowded.crowdedAmong(candidates, counter, 0);
    }

    private void keepNodesWithCompanions(PodInfo pod, OwnRules own, NodeSet candidates, Rejections rejections) {
        nodes.copyFrom(candidates);
        boolean isFirst = mayBeFirst(pod, own);
        for (int i = 0; i < own.affinity().size(); i++) {
            DomainCounter counter = own.affinity().get(i);
            if (isFirst) {
                nodes.retainAll(counter.eligibility().nodes());
            } else {
                nodes.retainAll(occupied(counter, nodes));
            }
        }
        rejections.keepOnly(candidates, nodes, LACKS_COMPANIONS);
    }

    private boolean hasCompanions(PodInfo pod, OwnRules own, int node) {
        boolean isFirst = mayBeFirst(pod, own);
        for (DomainCounter counter : own.affinity()) {
            boolean hasKey = counter.topology().domainOf(node) != Topology.NO_DOMAIN;
            if (!hasKey || !(isFirst || isOccupied(counter, node))) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether the pod may start a series of pods that want to be together: it would be a companion of itself, and no
     * companion counts anywhere. Companions on nodes without any of the topology keys do not count.
     */
    private boolean mayBeFirst(PodInfo pod, OwnRules own) {
        for (int i = 0; i < own.affinity().size(); i++) {
            if (own.affinity().get(i).total() > 0) {
                return false;
            }
        }
        return cluster.selectors()
                .selects(
                        own.companions().orElseThrow(),
                        pod.pod().namespace(),
                        pod.pod().labels());
    }

    static boolean keepsOut(CarriedTerm term) {
        return term.kind() == CarriedTerm.Kind.REQUIRED_ANTI_AFFINITY
                && term.counter().total() > 0;
    }

    static boolean isOccupied(DomainCounter counter, int node) {
        int domain = counter.topology().domainOf(node);
        return domain != Topology.NO_DOMAIN && counter.sumOf(domain) > 0;
    }
}
