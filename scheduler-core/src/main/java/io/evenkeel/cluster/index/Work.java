package io.evenkeel.cluster.index;

/**
 * The work that was done so far, in units: a word of a set of nodes, a node, a term, a rule or a pod that was looked at counts
 * as one. It is counted and not timed, so that the same calls in the same order always take the same work.
 *
 * <p>Whoever goes through what users can make many of adds how many that were, once and not in the loop itself.
 */
public final class Work {
    private static final int NODES_IN_A_WORD = 6;

    private long units;

    public void add(long more) {
        units += more;
    }

    /** So many sets of nodes were gone through. */
    public void addSets(int sets, int endOfNodes) {
        units += (long) sets * ((endOfNodes >> NODES_IN_A_WORD) + 1);
    }

    public long units() {
        return units;
    }
}
