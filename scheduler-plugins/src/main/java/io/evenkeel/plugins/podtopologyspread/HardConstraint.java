package io.evenkeel.plugins.podtopologyspread;

import io.evenkeel.api.Status;
import io.evenkeel.cluster.SpreadCounters;
import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.SelectorGroup;
import io.evenkeel.cluster.counting.Skew;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;

/**
 * A constraint that filters, bound to the counts that it reads.
 *
 * @param selector of the pods that the constraint spreads, as written
 * @param group those pods; none where the selector is empty and {@link SpreadCounters} counts none for it
 * @param counter the group by domain, over the nodes that the constraint counts
 */
record HardConstraint(int maxSkew, int minDomains, LabelSelector selector, SelectorGroup group, DomainCounter counter) {
    static final Status MISSING_LABEL =
            Status.unresolvable("node(s) didn't match pod topology spread constraints (missing required label)");
    static final Status TOO_SKEWED = Status.unschedulable("node(s) didn't match pod topology spread constraints");

    /** Whether it is about every pod of the namespace, though it may count none. */
    boolean selectsAll() {
        return selector.matchesEverything();
    }

    Topology topology() {
        return counter.topology();
    }

    /** 1 where the pod itself will count once it is placed, else 0. */
    int selfMatch(Labels labels) {
        return selector.matches(labels) ? 1 : 0;
    }

    /** How many pods the emptiest domain is taken to have. */
    int fewest() {
        return orNone(counter.minimum());
    }

    private int orNone(int fewest) {
        return lacksDomains() ? 0 : fewest;
    }

    /** How many matching pods a domain may have for one more to be allowed there. */
    int mostAllowed(int selfMatch) {
        return Skew.mostAllowed(maxSkew, fewest(), selfMatch);
    }

    boolean lacksDomains() {
        return Skew.lacksDomains(counter.countedDomains(), minDomains);
    }

    /** @param left how many more of the pods that count have left the node than are nominated to it */
    Status verdict(int node, int selfMatch, int left) {
        int domain = topology().domainOf(node);
        if (domain == Topology.NO_DOMAIN) {
            return MISSING_LABEL;
        }
        int most = Skew.mostAllowed(maxSkew, orNone(minimumWithout(left, domain)), selfMatch);
        return counter.sumOf(domain) - left > most ? TOO_SKEWED : Status.SUCCESS;
    }

    private int minimumWithout(int left, int domain) {
        return left < 0
                ? counter.minimumWith(domain, -left)
                : Math.min(counter.minimum(), left == 0 ? Integer.MAX_VALUE : counter.sumOf(domain) - left);
    }
}
