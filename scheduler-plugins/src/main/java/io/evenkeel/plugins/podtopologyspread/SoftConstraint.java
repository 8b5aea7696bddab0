package io.evenkeel.plugins.podtopologyspread;

import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.PodTally;
import io.evenkeel.cluster.counting.SelectorGroup;
import io.evenkeel.cluster.counting.Topology;

/** A constraint that scores, bound to the counts that it reads. */
sealed interface SoftConstraint {
    int maxSkew();

    /** The pods that the constraint spreads; none where its selector is empty. */
    SelectorGroup group();

    /** Which nodes have the label; the constraint adds nothing to the others. */
    Topology labelled();

    /** By host name: counts on the node itself, whatever the inclusion policies say. */
    record OnHost(int maxSkew, SelectorGroup group, Topology labelled) implements SoftConstraint {
        PodTally tally() {
            return group.tally();
        }
    }

    /**
     * By any other label: counts in the node's domain.
     *
     * @param counter the group by domain, over the nodes that the constraint counts; its topology may read an absent label
     *     as an empty one
     */
    record InDomain(int maxSkew, SelectorGroup group, Topology labelled, DomainCounter counter)
            implements SoftConstraint {
        Topology topology() {
            return counter.topology();
        }
    }
}
