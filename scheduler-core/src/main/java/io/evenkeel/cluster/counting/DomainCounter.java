package io.evenkeel.cluster.counting;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A tally summed up by domain over the eligible nodes, and if wanted the minimum over all counted domains. A domain is
 * counted while it has at least one eligible node. A pod that comes or goes changes one sum.
 *
 * <pre>{@code
 *                   tally by node              sums by zone
 *                   n1 (a)   n2 (a)   n3 (b)   a   b   minimum
 *                   2        0        1        2   1   1
 * a pod on n3       2        0        2        2   2   2
 * a pod on n2       2        1        2        3   2   2
 * n3 is cordoned*   2        1        2        3   -   3
 * }</pre>
 *
 * <p>* Where the constraint honours taints, so that n3 is no longer eligible: zone b counts no more, its pods stay in the tally.
 */
public final class DomainCounter {

    /** Users that agree on all of these share one counter. */
    record Key(PodTally tally, Topology topology, NodeEligibility eligibility, boolean minimumWanted) {}

    private final PodTally tally;
    private final Topology topology;
    private final NodeEligibility eligibility;
    private final @Nullable SumHistogram histogram;
    private int[] sums = new int[8];
    private int[] eligibleNodes = new int[8];
    private int countedDomains;
    private long total;
    int references;
    int position;

    DomainCounter(Key key) {
        this.tally = key.tally();
        this.topology = key.topology();
        this.eligibility = key.eligibility();
        this.histogram = key.minimumWanted() ? new SumHistogram() : null;
    }

    public boolean keepsMinimum() {
        return histogram != null;
    }

    int eligibleNodes(int domain) {
        return domain < eligibleNodes.length ? eligibleNodes[domain] : 0;
    }

    Key key() {
        return new Key(tally, topology, eligibility, histogram != null);
    }

    public Topology topology() {
        return topology;
    }

    public PodTally tally() {
        return tally;
    }

    public NodeEligibility eligibility() {
        return eligibility;
    }

    /** The sum over the domain; 0 for domains that are not counted. */
    public int sumOf(int domain) {
        return domain < sums.length ? sums[domain] : 0;
    }

    /** Sums by domain, at least as long as the topology's {@code end}; to be read only. */
    public int[] sums() {
        ensureDomains(topology.end());
        return sums;
    }

    public boolean isCounted(int domain) {
        return domain < eligibleNodes.length && eligibleNodes[domain] > 0;
    }

    public int countedDomains() {
        return countedDomains;
    }

    /** The smallest sum of a counted domain, 0 where there is none. */
    public int minimum() {
        if (histogram == null) {
            throw new IllegalStateException("this counter keeps no minimum");
        }
        return histogram.minimum();
    }

    /** The sum over all domains. */
    public long total() {
        return total;
    }

    void tallyChanged(int node, int delta) {
        if (eligibility.includes(node)) {
            add(topology.domainOf(node), delta);
        }
    }

    void addNode(int node) {
        if (!eligibility.includes(node)) {
            return;
        }
        int domain = topology.domainOf(node);
        ensureDomains(domain + 1);
        if (eligibleNodes[domain]++ == 0) {
            enter(domain, tally.countOn(node));
        } else {
            add(domain, tally.countOn(node));
        }
    }

    void removeNode(int node) {
        if (!eligibility.includes(node)) {
            return;
        }
        int domain = topology.domainOf(node);
        if (--eligibleNodes[domain] == 0) {
            leave(domain);
        } else {
            add(domain, -tally.countOn(node));
        }
    }

    /** With the sum that it has, not by way of 0, from where the minimum would have to climb back. */
    private void enter(int domain, int sum) {
        countedDomains++;
        total += sum;
        sums[domain] = sum;
        if (histogram != null) {
            histogram.enter(sum);
        }
    }

    private void leave(int domain) {
        countedDomains--;
        total -= sums[domain];
        if (histogram != null) {
            histogram.leave(sums[domain]);
        }
        sums[domain] = 0;
    }

    private void add(int domain, int delta) {
        if (delta == 0) {
            return;
        }
        total += delta;
        int before = sums[domain];
        sums[domain] = before + delta;
        if (histogram != null) {
            histogram.move(before, before + delta);
        }
    }

    /** All that it counts, as text. */
    String description() {
        List<String> counted = new ArrayList<>();
        for (int domain = 0; domain < topology.end(); domain++) {
            if (isCounted(domain)) {
                counted.add("#" + domain + "=" + sumOf(domain));
            }
        }
        return "counter " + topology.key() + " " + eligibility.key() + eligibility.nodes() + " " + counted + " total "
                + total + " in " + countedDomains + (keepsMinimum() ? " minimum " + minimum() : "");
    }

    private void ensureDomains(int needed) {
        if (needed > sums.length) {
            sums = Arrays.copyOf(sums, Math.max(needed, sums.length * 2));
            eligibleNodes = Arrays.copyOf(eligibleNodes, sums.length);
        }
    }
}
