package io.evenkeel.groups;

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
    private static final int NODES_AT_HALF = 64;
    private static final int TRIES_A_POD = 4;
    private static final int WORK_A_STEP = 16;

    private static final long LIVE_OF_SMALL_CLUSTERS = 32_000;
    private static final int LIVE_NODES_AT_HALF = 340;
    private static final int WORK_A_POD = 2;
    private static final int SPARE = 5;

    /** So many steps, with as much work as they take where pods are of several kinds. */
    public Budget(long steps) {
        this(steps, Math.min(steps, Long.MAX_VALUE / WORK_A_STEP) * WORK_A_STEP);
    }

    /** One that is spent in a second or two: a step costs more, the more nodes there are to be filtered. */
    public static Budget usual(int pods, int nodes) {
        return new Budget(OF_SMALL_CLUSTERS * NODES_AT_HALF / (NODES_AT_HALF + nodes) + (long) TRIES_A_POD * pods);
    }

    /**
     * One for a thread that others wait for: of a group of up to a thousand pods as much as a tenth of a second or two allows, and of
     * larger ones little more than it takes to place all of them once.
     */
    public static Budget live(int pods, int nodes) {
        long affordable = LIVE_OF_SMALL_CLUSTERS * LIVE_NODES_AT_HALF / (LIVE_NODES_AT_HALF + nodes);
        long work = Math.max(affordable, affordable / SPARE + (long) WORK_A_POD * pods);
        return new Budget(work, work);
    }
}
