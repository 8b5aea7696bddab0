package io.evenkeel.plugins.interpodaffinity;

import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.counting.CarriedTerm;
import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.NodeEligibility;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.node.NodeSet;
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
    private final NodeSet occupied = new NodeSet();
    private final OccupiedNodes occupiedNodes = new OccupiedNodes();

    AffinityFilter(ClusterView cluster) {
        this.cluster = cluster;
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
        if (!own.antiAffinity().isEmpty()) {
            nodes.clear();
            for (int i = 0; i < own.antiAffinity().size(); i++) {
                occupiedNodes.addTo(
                        nodes,
                        own.antiAffinity().get(i),
                        candidates,
                        cluster.nodes().end());
            }
            rejections.reject(candidates, nodes, HAS_SHUNNED_PODS);
        }
        if (!matching.isEmpty()) {
            nodes.clear();
            for (int i = 0; i < matching.size(); i++) {
                if (keepsOut(matching.get(i))) {
                    occupiedNodes.addTo(
                            nodes,
                            matching.get(i).counter(),
                            candidates,
                            cluster.nodes().end());
                }
            }
            rejections.reject(candidates, nodes, SHUNNED_BY_PODS);
        }
    }

    private void keepNodesWithCompanions(PodInfo pod, OwnRules own, NodeSet candidates, Rejections rejections) {
        nodes.copyFrom(candidates);
        boolean isFirst = mayBeFirst(pod, own);
        for (int i = 0; i < own.affinity().size(); i++) {
            DomainCounter counter = own.affinity().get(i);
            if (isFirst) {
                nodes.retainAll(counter.eligibility().nodes());
            } else {
                occupied.clear();
                occupiedNodes.addTo(occupied, counter, nodes, cluster.nodes().end());
                nodes.retainAll(occupied);
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

    /**
     * Finds the nodes in a domain with any of the pods that a counter counts, in the cheapest of three ways: with few
     * domains, as with zones, whole domains are added, n/64 steps each; where each domain is one node, as with host names,
     * the nodes of the counted pods are it; else the candidates are walked, a step each.
     */
    private static final class OccupiedNodes {
        private final Topology.Column column = new Topology.Column();

        /**
         * Adds at least the candidates that are occupied, and no node that is not.
         *
         * @param end one more than the highest node id
         */
        void addTo(NodeSet found, DomainCounter counter, NodeSet candidates, int end) {
            if (counter.total() == 0) {
                return;
            }
            Topology topology = counter.topology();
            if (topology.hasNodeSets()) {
                addDomains(found, counter.sums(), topology);
            } else if (eachDomainIsOneNode(counter)) {
                addNodesWithPods(found, counter);
            } else {
                addCandidates(found, counter.sums(), column.of(topology, end), candidates);
            }
        }

        private static boolean eachDomainIsOneNode(DomainCounter counter) {
            return counter.countedDomains() == counter.eligibility().count();
        }

        private static void addDomains(NodeSet found, int[] sums, Topology topology) {
            for (int domain = 0; domain < topology.end(); domain++) {
                if (sums[domain] > 0) {
                    found.addAll(topology.nodesOf(domain));
                }
            }
        }

        private static void addNodesWithPods(NodeSet found, DomainCounter counter) {
            NodeEligibility eligibility = counter.eligibility();
            if (counter.tally().hasLevels()) {
                found.addCommon(counter.tally().levels().occupied(), eligibility.nodes());
                return;
            }
            counter.tally().counts().forEachNode(node -> {
                if (eligibility.includes(node)) {
                    found.add(node);
                }
            });
        }

        private static void addCandidates(NodeSet found, int[] sums, int[] domains, NodeSet candidates) {
            for (int word = 0; word < candidates.wordCount(); word++) {
                long occupied = 0;
                for (long rest = candidates.word(word); rest != 0; rest &= rest - 1) {
                    int node = (word << 6) + Long.numberOfTrailingZeros(rest);
                    int domain = domains[node];
                    if (domain != Topology.NO_DOMAIN) {
                        // The sign bit of -sum: a branch on it would be mispredicted as often as not.
                        occupied |= (long) (-sums[domain] >>> 31) << node;
                    }
                }
                if (occupied != 0) {
                    found.addWord(word, occupied);
                }
            }
        }
    }
}
