package io.evenkeel.cluster;

import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.PodTally;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.node.CountLevels;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;

/**
 * Finds the nodes in domains that have at most so many pods of a counter.
 *
 * <p>Where the topology has few domains, whole domains are ruled in as sets; where each is one node, as with host names, the
 * nodes that hold too many are ruled out; else each candidate's domain is looked up.
 */
public final class UncrowdedNodes {
    private final NodeSet uncrowded = new NodeSet();
    private final Topology.Column column = new Topology.Column();

    /**
     * Returns those of the candidates, and perhaps other nodes; to be read only, and until the next question.
     *
     * @param candidates each is in some domain
     */
    public NodeSetView among(NodeSetView candidates, DomainCounter counter, int mostPods) {
        if (counter.topology().hasNodeSets()) {
            addWholeDomains(counter, mostPods);
        } else if (eachDomainIsOneNode(counter.topology()) && tellsCrowdedNodes(counter.tally(), mostPods)) {
            removeCrowdedNodes(counter, mostPods, candidates);
        } else {
            addNodeByNode(counter, mostPods, candidates);
        }
        return uncrowded;
    }

    private void addWholeDomains(DomainCounter counter, int mostPods) {
        Topology topology = counter.topology();
        uncrowded.clear();
        for (int domain = 0; domain < topology.end(); domain++) {
            if (counter.sumOf(domain) <= mostPods) {
                uncrowded.addAll(topology.nodesOf(domain));
            }
        }
    }

    private static boolean eachDomainIsOneNode(Topology topology) {
        return topology.domainCount() == topology.nodeCount();
    }

    /** Levels tell which nodes hold more than so many, but for numbers that no pod count should reach. */
    private static boolean tellsCrowdedNodes(PodTally tally, int mostPods) {
        return mostPods >= 0
                && (!tally.hasLevels()
                        || mostPods < CountLevels.BEYOND
                        || !tally.levels().goBeyond());
    }

    /** A node without pods passes, as its domain has none. */
    private void removeCrowdedNodes(DomainCounter counter, int mostPods, NodeSetView candidates) {
        uncrowded.copyFrom(candidates);
        if (counter.tally().hasLevels()) {
            CountLevels levels = counter.tally().levels();
            for (int level = Math.min(mostPods, CountLevels.BEYOND) + 1; level < levels.end(); level++) {
                if (!levels.isEmpty(level)) {
                    uncrowded.removeCommon(
                            levels.at(level), counter.eligibility().nodes());
                }
            }
            return;
        }
        counter.tally().counts().forEachNode(node -> {
            if (counter.eligibility().includes(node) && counter.tally().countOn(node) > mostPods) {
                uncrowded.remove(node);
            }
        });
    }

    private void addNodeByNode(DomainCounter counter, int mostPods, NodeSetView candidates) {
        int[] domains = column.of(counter.topology(), candidates.wordCount() * 64);
        int[] sums = counter.sums();
        uncrowded.clear();
        for (int word = 0; word < candidates.wordCount(); word++) {
            long uncrowdedBits = 0;
            long bits = candidates.word(word);
            while (bits != 0) {
                int bit = Long.numberOfTrailingZeros(bits);
                bits &= bits - 1;
                uncrowdedBits |= (sums[domains[(word << 6) + bit]] <= mostPods ? 1L : 0L) << bit;
            }
            uncrowded.setWord(word, uncrowdedBits);
        }
    }
}
