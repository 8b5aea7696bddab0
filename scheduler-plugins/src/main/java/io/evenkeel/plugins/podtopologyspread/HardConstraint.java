package io.evenkeel.plugins.podtopologyspread;

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
 * @param group those pods; none where the selector is empty, because that is how the reference counts
 * @param counter the group by domain, over the nodes that the constraint counts
 */
record HardConstraint(int maxSkew, int minDomains, LabelSelector selector, SelectorGroup group, DomainCounter counter) {

    /** Whether it is about every pod of the namespace, and counts none. */
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

    /** How many matching pods a domain may have for one more to be allowed there. */
    int mostAllowed(int selfMatch) {
        return mostAllowed(selfMatch, counter.minimum());
    }

    /** Returns the most allowed if the domain with the fewest had so many. */
    int mostAllowed(int selfMatch, int fewest) {
        return Skew.mostAllowed(maxSkew, lacksDomains() ? 0 : fewest, selfMatch);
    }

    boolean lacksDomains() {
        return Skew.lacksDomains(counter.countedDomains(), minDomains);
    }
}
