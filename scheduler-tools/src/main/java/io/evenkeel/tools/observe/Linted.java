package io.evenkeel.tools.observe;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.Skew;
import java.util.List;

/**
 * A workload that is looked at.
 *
 * @param wanted how many pods it is to have
 */
record Linted(Replicas replicas, int wanted, ClusterView cluster) {

    List<WatchedConstraint> constraints() {
        return replicas.constraints();
    }

    /** Constraints that keep pods from nodes, where the pods themselves are counted: a pod more is one more in its domain. */
    List<WatchedConstraint> growing() {
        return constraints().stream()
                .filter(constraint -> constraint.constraint().isHard() && constraint.countsOwnPods())
                .toList();
    }

    /** Whether the constraint's minDomains are not there, so that the emptiest domain counts as empty. */
    static boolean lacksDomains(WatchedConstraint constraint) {
        return Skew.lacksDomains(
                constraint.counter().countedDomains(), constraint.constraint().minDomains());
    }

    /** Whether the counted nodes can be looked at by this counter: it has domains at all. */
    static boolean hasDomains(DomainCounter counter) {
        return counter.countedDomains() > 0;
    }
}
