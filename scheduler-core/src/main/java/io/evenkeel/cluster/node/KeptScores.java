package io.evenkeel.cluster.node;

/** A score for each node that is kept from pod to pod: what a {@link NodeRanking} adds up. */
public interface KeptScores {

    /**
     * By node, at least as long as the node table's {@code end}; to be read only, and only until the cluster changes. What
     * stands at rows without a node means nothing.
     */
    int[] current();

    /**
     * Differs from what it was before whenever scores changed at other nodes than those that are in the log of changed
     * nodes, as of the last {@link #current}.
     */
    long reworked();

    /** Whether they were given back, so that no pod will come with them again. */
    boolean isDropped();
}
