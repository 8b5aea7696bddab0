package io.evenkeel.cluster.node;

/**
 * A score for each node that is the same for all pods of a kind: what a {@link NodeRanking} adds up. It asks for the score of
 * one node at a time, of those that changed; whoever wants all asks for the column.
 */
public interface KeptScores {

    /** These, brought up to date: what is asked of them next holds until the cluster changes. */
    KeptScores upToDate();

    /** The score of a node that is present. */
    int of(int node);

    /**
     * By node, at least as long as the node table's {@code end}; to be read only, and only until the cluster changes. What
     * stands at rows without a node means nothing.
     */
    int[] column();

    /**
     * Differs from what it was before whenever scores changed at other nodes than those that are in the log of changed
     * nodes, as of when they were last brought up to date.
     */
    long reworked();

    /** Whether they were given back, so that no pod will come with them again. */
    boolean isDropped();
}
