package io.evenkeel.cluster.counting;

import io.evenkeel.cluster.node.SparseCounts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A number of pods, or a sum of weights, for each node, and everything that sums it up by domain. A pod that comes or
 * goes touches its node's entry and one entry of each counter.
 */
public final class PodTally {
    private final SparseCounts.Writer counting = SparseCounts.create();
    private final SparseCounts counts = counting.counts();
    private final List<DomainCounter> counters = new ArrayList<>();

    PodTally() {}

    public int countOn(int node) {
        return counts.get(node);
    }

    public SparseCounts counts() {
        return counts;
    }

    void add(int node, int delta) {
        counting.add(node, delta);
        for (int i = 0; i < counters.size(); i++) {
            counters.get(i).tallyChanged(node, delta);
        }
    }

    void attach(DomainCounter counter) {
        counters.add(counter);
    }

    void detach(DomainCounter counter) {
        counters.remove(counter);
    }

    /** What sums it up, by whichever topology. */
    public List<DomainCounter> counters() {
        return Collections.unmodifiableList(counters);
    }
}
