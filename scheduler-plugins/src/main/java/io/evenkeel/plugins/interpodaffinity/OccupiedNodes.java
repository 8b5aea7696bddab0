package io.evenkeel.plugins.interpodaffinity;

import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.NodeEligibility;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.node.NodeSet;

/**
 * Finds the nodes in a domain with any of the pods that a counter counts, in the cheapest of three ways: with few
 * domains, as with zones, whole domains are added, n/64 steps each; where each domain is one node, as with host names,
 * the nodes of the counted pods are it; else the candidates are walked, a step each.
 */
final class OccupiedNodes {
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
        return counter.countedDomains() == counter.eligibility().nodes().size();
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
