package io.evenkeel.engine.group;

/**
 * How much may be tried for a group: steps and not time, so that the same group on the same cluster always gets the same
 * answer.
 *
 * @param steps placements that may be tried
 * @param work questions to the filters that may be asked meanwhile; flows, proofs and keeping account of states count as
 *     so many as take about as long
 */
public record Budget(long steps, long work) {
    private static final long OF_SMALL_CLUSTERS = 200_000;
    private static final long OF_SMALL_CLUSTERS_LIVE = 40_000;
    private static final int NODES_AT_HALF = 64;
    private static final int TRIES_A_POD = 4;
    private static final int WORK_A_STEP = 16;
    private static final int WORK_A_POD_LIVE = 2;

    /** So many steps, with as much work as they take where pods are of several kinds. */
    public Budget(long steps) {
        this(steps, WORK_A_STEP * steps);
    }

    /** One that is spent in a second or two: a step costs more, the more nodes there are to be filtered. */
    public static Budget usual(int pods, int nodes) {
        return new Budget(affordable(OF_SMALL_CLUSTERS, nodes) + (long) TRIES_A_POD * pods);
    }

    /** One for a thread that others wait for: little more than it takes to place all of them once. */
    public static Budget live(int pods, int nodes) {
        long affordable = affordable(OF_SMALL_CLUSTERS_LIVE, nodes);
        return new Budget(affordable + pods, affordable + (long) WORK_A_POD_LIVE * pods);
    }

    private static long affordable(long ofSmallClusters, int nodes) {
        return ofSmallClusters * NODES_AT_HALF / (NODES_AT_HALF + nodes);
    }
}
