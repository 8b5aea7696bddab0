package io.evenkeel.cluster.index;

/**
 * The work that was done so far, in units: a word of a set of nodes, a node, a term or a pod that was looked at counts
 * as one, and a rule that was bound as {@link #OF_A_RULE}. It is counted and not timed, so that the same calls in the same
 * order always take the same work.
 *
 * <p>Whoever goes through what users can make many of adds how many that were, once and not in the loop itself. What is worked
 * out once and kept for later is told apart: who does it is whoever comes first, which may be somebody who only looks on.
 */
public final class Work {
    private static final int NODES_IN_A_WORD = 6;

    /** A rule of a pod, such as a term, a constraint or a claim, is read, bound to what it counts, and given back. */
    public static final long OF_A_RULE = 512;

    private long eachTime;
    private long once;
    private long ofOthers;
    private long searched;

    /** Done each time that somebody asks. */
    public void add(long more) {
        eachTime += more;
    }

    /** Done each time, by a search that may take long for a single question: others of the same decision have to do with less. */
    public void addSearched(long more) {
        eachTime += more;
        searched += more;
    }

    /**
     * Counts the decision of a pod with so many rules. What is bound already counts as much, as others may have asked for it who
     * only look on.
     */
    public void addRules(int rules) {
        eachTime += rules * OF_A_RULE;
    }

    /** Counts so many sets of nodes that were gone through. */
    public void addSets(int sets, int endOfNodes) {
        eachTime += (long) sets * ((endOfNodes >> NODES_IN_A_WORD) + 1);
    }

    /** Done once and kept for all who ask. */
    public void addOnce(long more) {
        once += more;
    }

    /** Done each time, but for what others have made: the one who asks does not pay for it. */
    public void addOfOthers(long more) {
        ofOthers += more;
    }

    /** The part of it that took {@link #addSearched searches}. */
    public long searched() {
        return searched;
    }

    public long units() {
        return eachTime + once + ofOthers;
    }

    /** The part of it that is the same however many have asked before. */
    public long unitsEachTime() {
        return eachTime;
    }
}
