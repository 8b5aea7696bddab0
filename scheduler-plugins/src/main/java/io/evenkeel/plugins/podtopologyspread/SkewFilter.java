package io.evenkeel.plugins.podtopologyspread;

import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.PodTally;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.node.CountLevels;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.framework.cycle.Rejections;
import io.evenkeel.framework.cycle.Status;
import io.evenkeel.model.value.Labels;
import java.util.List;

/**
 * Takes out nodes on which a pod would break a hard constraint. The constraints are asked in the order in which the pod
 * has them; the first that a node fails gives the reason.
 *
 * <p>Where the topology has few domains, whole domains are ruled in as sets; where each is one node, as with host names, the
 * nodes that hold too many are ruled out; else each candidate's domain is looked up.
 */
final class SkewFilter {
    static final Status MISSING_LABEL =
            Status.unresolvable("node(s) didn't match pod topology spread constraints (missing required label)");
    static final Status TOO_SKEWED = Status.unschedulable("node(s) didn't match pod topology spread constraints");

    private final NodeSet allowed = new NodeSet();

    void filter(List<HardConstraint> constraints, Labels podLabels, NodeSet candidates, Rejections rejections) {
        for (int i = 0; i < constraints.size(); i++) {
            HardConstraint constraint = constraints.get(i);
            int mostAllowed = constraint.mostAllowed(constraint.selfMatch(podLabels));
            rejections.keepOnly(candidates, constraint.topology().nodes(), MISSING_LABEL);
            if (constraint.topology().hasNodeSets()) {
                allowWholeDomains(constraint, mostAllowed);
            } else if (eachDomainIsOneNode(constraint) && tellsCrowdedNodes(constraint, mostAllowed)) {
                forbidCrowdedNodes(constraint, mostAllowed, candidates);
            } else {
                allowNodeByNode(constraint, mostAllowed, candidates);
            }
            rejections.keepOnly(candidates, allowed, TOO_SKEWED);
        }
    }

    /** The verdict on one node. */
    Status filterOne(List<HardConstraint> constraints, Labels podLabels, int node) {
        for (HardConstraint constraint : constraints) {
            int domain = constraint.topology().domainOf(node);
            if (domain == Topology.NO_DOMAIN) {
                return MISSING_LABEL;
            }
            int mostAllowed = constraint.mostAllowed(constraint.selfMatch(podLabels));
            if (constraint.counter().sumOf(domain) > mostAllowed) {
                return TOO_SKEWED;
            }
        }
        return Status.SUCCESS;
    }

    private void allowWholeDomains(HardConstraint constraint, int mostAllowed) {
        Topology topology = constraint.topology();
        allowed.clear();
        for (int domain = 0; domain < topology.end(); domain++) {
            if (constraint.counter().sumOf(domain) <= mostAllowed) {
                allowed.addAll(topology.nodesOf(domain));
            }
        }
    }

    private static boolean eachDomainIsOneNode(HardConstraint constraint) {
        return constraint.topology().domainCount() == constraint.topology().nodeCount();
    }

    /** Levels tell which nodes hold more than so many, but for numbers that no pod count should reach. */
    private static boolean tellsCrowdedNodes(HardConstraint constraint, int mostAllowed) {
        PodTally tally = constraint.counter().tally();
        return mostAllowed >= 0
                && (!tally.hasLevels()
                        || mostAllowed < CountLevels.BEYOND
                        || !tally.levels().goBeyond());
    }

    /** A node without pods passes, as its domain has none. */
    private void forbidCrowdedNodes(HardConstraint constraint, int mostAllowed, NodeSet candidates) {
        allowed.copyFrom(candidates);
        DomainCounter counter = constraint.counter();
        if (counter.tally().hasLevels()) {
            CountLevels levels = counter.tally().levels();
            for (int level = Math.min(mostAllowed, CountLevels.BEYOND) + 1; level < levels.end(); level++) {
                if (!levels.isEmpty(level)) {
                    allowed.removeCommon(levels.at(level), counter.eligibility().nodes());
                }
            }
            return;
        }
        counter.tally().counts().forEachNode(node -> {
            if (counter.eligibility().includes(node) && counter.tally().countOn(node) > mostAllowed) {
                allowed.remove(node);
            }
        });
    }

    /** All candidates are in some domain. */
    private void allowNodeByNode(HardConstraint constraint, int mostAllowed, NodeSet candidates) {
        int[] domains = constraint.topology().domains(candidates.wordCount() * 64);
        int[] sums = constraint.counter().sums();
        allowed.clear();
        for (int word = 0; word < candidates.wordCount(); word++) {
            long allowedBits = 0;
            long bits = candidates.word(word);
            while (bits != 0) {
                int bit = Long.numberOfTrailingZeros(bits);
                bits &= bits - 1;
                allowedBits |= (sums[domains[(word << 6) + bit]] <= mostAllowed ? 1L : 0L) << bit;
            }
            allowed.setWord(word, allowedBits);
        }
    }
}
