package io.evenkeel.cluster;

import java.util.ArrayList;
import java.util.List;

/**
 * A number of pods, or a sum of weights, for each node, and everything that sums it up by domain. A pod that comes or
 * goes touches its node's entry and one entry of each counter.
 */
public final class PodTally {
    private final NodeCounts counts = new NodeCounts();
    private final List<DomainCounter> counters = new ArrayList<>();

    public int countOn(int node) {
        return counts.get(node);
    }

    public NodeCounts counts() {
        return counts;
    }

    void add(int node, int delta) {
        counts.add(node, delta);
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

    List<DomainCounter> counters() {
        return counters;
    }
}
