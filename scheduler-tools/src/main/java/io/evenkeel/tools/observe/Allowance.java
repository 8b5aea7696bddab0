package io.evenkeel.tools.observe;

/**
 * A share of the time: the asker may go on while it has not taken more than its share, and may save up some of it. So its work
 * takes its share of a thread in the long run, and a burst no more than was saved.
 */
final class Allowance {
    private final double share;
    private final long most;
    private double saved;
    private long countedAt;

    /**
     * Nothing taken yet.
     *
     * @param share of the time, up to 1
     * @param most how many nanoseconds may be saved up
     */
    Allowance(double share, long most, long now) {
        this.share = share;
        this.most = most;
        saved = most;
        countedAt = now;
    }

    boolean isThere(long now) {
        saved = Math.min((double) most, saved + share * (double) (now - countedAt));
        countedAt = now;
        return saved > 0;
    }

    /** So much was taken, which may be more than there was. */
    void take(long nanos) {
        saved -= nanos;
    }
}
