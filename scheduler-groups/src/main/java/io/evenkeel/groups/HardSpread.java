package io.evenkeel.groups;

import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.SelectorGroup;
import io.evenkeel.cluster.counting.Skew;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.model.constraint.TopologySpreadConstraint;

/**
 * A hard spread constraint of a pod of the group, with the live counts that it reads.
 *
 * @param countsItself whether a pod that has the constraint is among the pods that it spreads
 */
record HardSpread(
        TopologySpreadConstraint constraint, SelectorGroup group, DomainCounter counter, boolean countsItself) {

    /** How many pods are in the node's domain; none where it is in no domain. */
    int fillOf(int node) {
        int domain = counter.topology().domainOf(node);
        return domain == Topology.NO_DOMAIN ? 0 : counter.sumOf(domain);
    }

    /** Whether the emptiest domain is taken to have no pod, since there are fewer domains than minDomains. */
    boolean isMeasuredFromZero() {
        return Skew.lacksDomains(counter.countedDomains(), constraint.minDomains());
    }

    /** The most pods that a domain may hold for another to be allowed there that does not count itself. */
    int mostBesideOneThatDoesNotCount() {
        return Skew.mostAllowed(constraint.maxSkew(), isMeasuredFromZero() ? 0 : counter.minimum(), 0);
    }
}
