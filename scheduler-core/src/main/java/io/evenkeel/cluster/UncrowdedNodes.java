package io.evenkeel.cluster;

import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.PodTally;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.node.CountLevels;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.NodeTable;

/**
 * Tells the nodes in domains that have more than so many pods of a counter from those that have not.
 *
 * <p>Where the topology has few domains, as with zones, whole domains are ruled out as sets; where each is one node, as with host
 * names, the nodes that hold too many; else each candidate's domain is looked up. A set that is kept anyway is not copied.
 */
public final class UncrowdedNodes {
    private final NodeSet found = new NodeSet();
    private final NodeSet uncrowded = new NodeSet();
    private final Topology.Column column = new Topology.Column();
    private final NodeTable nodes;

    public UncrowdedNodes(NodeTable nodes) {
        this.nodes = nodes;
    }

    /** Returns those of the candidates that are in no domain with more pods; to be read only, and until the next question. */
    public NodeSetView among(NodeSetView candidates, DomainCounter counter, int mostPods) {
        NodeSetView crowded = crowdedAmong(candidates, counter, mostPods);
        uncrowded.copyFrom(candidates);
        uncrowded.removeAll(crowded);
        return uncrowded;
    }

    /** Returns those of the candidates in domains with more, and perhaps others in such domains; to be read only, as above. */
    public NodeSetView crowdedAmong(NodeSetView candidates, DomainCounter counter, int mostPods) {
        if (mostPods >= 0 && counter.total() == 0) {
            return NodeSetView.NONE;
        }
        if (counter.topology().hasNodeSets()) {
            return crowdedDomains(counter, mostPods);
        }
        if (eachDomainIsOneNode(counter.topology()) && tellsCrowdedNodes(counter.tally(), mostPods)) {
            return counter.tally().hasLevels() ? crowdedLevels(counter, mostPods) : crowdedOfFew(counter, mostPods);
        }
        return crowdedOneByOne(counter, mostPods, candidates);
    }

    private NodeSetView crowdedDomains(DomainCounter counter, int mostPods) {
        Topology topology = counter.topology();
        NodeSetView crowded = NodeSetView.NONE;
        for (int domain = 0; domain < topology.end(); domain++) {
            if (counter.sumOf(domain) > mostPods) {
                crowded = joined(crowded, topology.nodesOf(domain));
            }
        }
        return crowded;
    }

    /** The nodes of both sets; the first is {@link #found} or one that is kept elsewhere. */
    @SuppressWarnings("ReferenceEquality")
    private NodeSetView joined(NodeSetView sofar, NodeSetView more) {
        if (sofar == NodeSetView.NONE) {
            return more;
        }
        if (sofar != found) {
            found.copyFrom(sofar);
        }
        found.addAll(more);
        return found;
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

    /** A node without pods is not crowded, as its domain has none; pods on nodes that do not count crowd none. */
    private NodeSetView crowdedLevels(DomainCounter counter, int mostPods) {
        CountLevels levels = counter.tally().levels();
        NodeSetView crowded = mostPods == 0 ? levels.occupied() : levelsAbove(levels, mostPods);
        return counter.eligibility().count() == nodes.count()
                ? crowded
                : eligible(crowded, counter.eligibility().nodes());
    }

    @SuppressWarnings("ReferenceEquality")
    private NodeSetView eligible(NodeSetView crowded, NodeSetView eligible) {
        if (crowded != found) {
            found.copyFrom(crowded);
        }
        found.retainAll(eligible);
        return found;
    }

    private NodeSetView levelsAbove(CountLevels levels, int mostPods) {
        NodeSetView crowded = NodeSetView.NONE;
        for (int level = Math.min(mostPods, CountLevels.BEYOND) + 1; level < levels.end(); level++) {
            if (!levels.isEmpty(level)) {
                crowded = joined(crowded, levels.at(level));
            }
        }
        return crowded;
    }

    private NodeSetView crowdedOfFew(DomainCounter counter, int mostPods) {
        found.clear();
        counter.tally().counts().forEachNode(node -> {
            if (counter.eligibility().includes(node) && counter.tally().countOn(node) > mostPods) {
                found.add(node);
            }
        });
        return found;
    }

    private NodeSetView crowdedOneByOne(DomainCounter counter, int mostPods, NodeSetView candidates) {
        int[] domains = column.of(counter.topology(), candidates.wordCount() * 64);
        int[] sums = counter.sums();
        found.clear();
        for (int word = 0; word < candidates.wordCount(); word++) {
            long crowdedBits = 0;
            long bits = candidates.word(word);
            while (bits != 0) {
                int bit = Long.numberOfTrailingZeros(bits);
                bits &= bits - 1;
                int domain = domains[(word << 6) + bit];
                if (domain != Topology.NO_DOMAIN) {
                    // The sign bit: a branch on it would be mispredicted as often as not.
                    crowdedBits |= (long) (mostPods - sums[domain] >>> 31) << bit;
                }
            }
            found.setWord(word, crowdedBits);
        }
        return found;
    }
}
