package io.evenkeel.cluster.counting;

import io.evenkeel.cluster.node.IntLongMap;
import io.evenkeel.cluster.node.SparseCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A tally summed up by domain over the eligible nodes, and if wanted the minimum over all counted domains. A domain is
 * counted while it has at least one eligible node. A pod that comes or goes changes one sum. What is kept is as much as
 * there are domains with pods, so that a small workload costs little however many hosts there are.
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

    /** Where sums are written out that are not kept as an array: one for all counters, as one is asked at a time. */
    static final class WrittenSums {
        private int[] sums = {};

        int[] ofLength(int length) {
            if (sums.length < length) {
                sums = new int[length + length / 4];
            }
            return sums;
        }
    }

    private final PodTally tally;
    private final Topology topology;
    private final NodeEligibility eligibility;
    private final NodeEligibility.Domains domains;
    private final WrittenSums written;
    private final @Nullable SumHistogram histogram;
    private final SparseCounts.Writer summing = SparseCounts.create();
    private final SparseCounts sums = summing.counts();
    private long total;
    private long changes;
    int references;
    int placeInTally;

    /** Of the nodes that there are and their tally. */
    DomainCounter(Key key, NodeEligibility.Domains domains, WrittenSums written) {
        this.tally = key.tally();
        this.topology = key.topology();
        this.eligibility = key.eligibility();
        this.domains = domains;
        this.written = written;
        tally.counts().forEachNode(this::sumUp);
        this.histogram = key.minimumWanted() ? new SumHistogram() : null;
        if (histogram != null) {
            histogram.enter(0, domains.count() - sums.size());
            sums.forEachNode(domain -> histogram.enter(sums.get(domain), 1));
        }
    }

    private void sumUp(int node) {
        if (eligibility.includes(node)) {
            int count = tally.countOn(node);
            summing.add(topology.domainOf(node), count);
            total += count;
        }
    }

    public boolean keepsMinimum() {
        return histogram != null;
    }

    int eligibleNodes(int domain) {
        return domains.nodesIn(domain);
    }

    NodeEligibility.Domains domains() {
        return domains;
    }

    /** How many sums there is room for. */
    int room() {
        return sums.room();
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
        return sums.get(domain);
    }

    /**
     * Sums by domain, at least as long as the topology's {@code end}; to be read only, and only until the cluster changes or
     * another counter is asked for its.
     */
    public int[] sums() {
        return summing.array(topology.end(), written::ofLength);
    }

    /** How many domains have a sum that is not 0. */
    public int occupiedDomains() {
        return sums.size();
    }

    /** Each domain with a sum other than 0, in no order. */
    public void forEachOccupied(IntConsumer domain) {
        sums.forEachNode(domain);
    }

    public boolean isCounted(int domain) {
        return domains.isCounted(domain);
    }

    public int countedDomains() {
        return domains.count();
    }

    /** The smallest sum of a counted domain, 0 where there is none. */
    public int minimum() {
        if (histogram == null) {
            throw new IllegalStateException("this counter keeps no minimum");
        }
        return histogram.minimum();
    }

    /** Returns the minimum if so many more counted in a counted domain. */
    public int minimumWith(int domain, int more) {
        if (histogram == null) {
            throw new IllegalStateException("this counter keeps no minimum");
        }
        return histogram.minimumIf(sumOf(domain), sumOf(domain) + more);
    }

    /** Grows whenever a sum changes, or a domain comes or goes: for those who look now and then. */
    public long changes() {
        return changes;
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

    /** Once the node counts in its domain. */
    void addNode(int node) {
        if (!eligibility.includes(node)) {
            return;
        }
        int domain = topology.domainOf(node);
        if (domains.nodesIn(domain) == 1) {
            enter(domain, tally.countOn(node));
        } else {
            add(domain, tally.countOn(node));
        }
    }

    /** While the node still counts in its domain. */
    void removeNode(int node) {
        if (!eligibility.includes(node)) {
            return;
        }
        int domain = topology.domainOf(node);
        if (domains.nodesIn(domain) == 1) {
            leave(domain);
        } else {
            add(domain, -tally.countOn(node));
        }
    }

    /** With the sum that it has, not by way of 0, from where the minimum would have to climb back. */
    private void enter(int domain, int sum) {
        changes++;
        total += sum;
        summing.add(domain, sum);
        if (histogram != null) {
            histogram.enter(sum, 1);
        }
    }

    private void leave(int domain) {
        changes++;
        int sum = sums.get(domain);
        total -= sum;
        summing.add(domain, -sum);
        if (histogram != null) {
            histogram.leave(sum);
        }
    }

    private void add(int domain, int delta) {
        if (delta == 0) {
            return;
        }
        changes++;
        total += delta;
        summing.add(domain, delta);
        if (histogram != null) {
            int sum = sums.get(domain);
            histogram.move(sum - delta, sum);
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
                + total + " in " + countedDomains() + (keepsMinimum() ? " minimum " + minimum() : "");
    }

    /**
     * The number of domains that have each sum, for the smallest of the sums.
     *
     * <p>A pod that comes can only take the last domain away from the minimum, which then steps up to the next sum there
     * is; one that goes can only make a new, lower minimum. So the minimum costs O(1) amortised over pods, however many
     * domains there are.
     *
     * <pre>{@code
     *               domains whose sum is   1  2  3   minimum
     *                                      1  2  1   1
     * move(1, 2)    a pod came             0  3  1   2        nobody is left at 1
     * move(2, 1)    a pod went             1  2  1   1
     * }</pre>
     */
    static final class SumHistogram {
        private final IntLongMap domainsBySum = new IntLongMap();
        private int domains;
        private int minimum;

        /** The smallest sum, 0 where there is no domain. */
        int minimum() {
            return domains == 0 ? 0 : minimum;
        }

        /** The smallest sum if one domain had more than it has. */
        int minimumIf(int before, int after) {
            if (before != minimum || domainsBySum.get(before) > 1) {
                return minimum;
            }
            int next = before + 1;
            while (next < after && domainsBySum.get(next) == 0) {
                next++;
            }
            return next;
        }

        /** So many more domains, all with this sum. */
        void enter(int sum, int more) {
            if (more == 0) {
                return;
            }
            minimum = domains == 0 ? sum : Math.min(minimum, sum);
            domains += more;
            domainsBySum.add(sum, more);
        }

        void leave(int sum) {
            domains--;
            domainsBySum.add(sum, -1);
            stepUpFrom(sum);
        }

        void move(int before, int after) {
            domainsBySum.add(before, -1);
            domainsBySum.add(after, 1);
            if (after < minimum) {
                minimum = after;
            } else {
                stepUpFrom(before);
            }
        }

        private void stepUpFrom(int sum) {
            if (sum == minimum && domains > 0) {
                while (domainsBySum.get(minimum) == 0) {
                    minimum++;
                }
            }
        }
    }
}
