package io.evenkeel.engine.group;

/**
 * How much may be tried for a group: steps and not time, so that the same group on the same cluster always gets the same
 * answer.
 *
 * @param steps placements that may be tried
 */
public record Budget(long steps) {
    private static final long OF_SMALL_CLUSTERS = 200_000;
    private static final int NODES_AT_HALF = 64;
    private static final int TRIES_A_POD = 4;

    /** One that is spent in a second or two: a step costs more, the more nodes there are to be filtered. */
    public static Budget usual(int pods, int nodes) {
        long affordable = OF_SMALL_CLUSTERS * NODES_AT_HALF / (NODES_AT_HALF + nodes);
        return new Budget(affordable + (long) TRIES_A_POD * pods);
    }
}
