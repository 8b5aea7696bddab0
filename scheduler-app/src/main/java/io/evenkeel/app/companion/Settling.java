package io.evenkeel.app.companion;

/**
 * A condition that counts once it has held for a while, and is over once it has not held for as long. What comes and goes within that
 * time is no news.
 */
public final class Settling {

    public enum News {
        NONE,
        BEGAN,
        ENDED
    }

    private final long settle;
    private boolean counts;
    private boolean isTurning;
    private long turnedAt;
    private boolean hasTurned;
    private long begunAt;

    /**
     * One that counts already, or does not.
     *
     * @param settle how long, in nanoseconds
     */
    public Settling(long settle, boolean counts) {
        this.settle = settle;
        this.counts = counts;
    }

    /** The condition as it is now. */
    public News note(boolean holds, long now) {
        if (holds == counts) {
            isTurning = false;
            return News.NONE;
        }
        if (!isTurning) {
            isTurning = true;
            hasTurned = true;
            turnedAt = now;
        }
        if (now - turnedAt < settle) {
            return News.NONE;
        }
        isTurning = false;
        counts = holds;
        if (holds) {
            begunAt = turnedAt;
        }
        return holds ? News.BEGAN : News.ENDED;
    }

    public boolean counts() {
        return counts;
    }

    /** When it began to hold, of one that counts or counted last. */
    public long begunAt() {
        return begunAt;
    }

    /** Whether it has turned, and whether that lasts is not known yet. */
    public boolean isTurning() {
        return isTurning;
    }

    public boolean hasTurned() {
        return hasTurned;
    }

    public long turnedAt() {
        return turnedAt;
    }

    /** Whether it stays as it is without another word. */
    public boolean isAtRest() {
        return !counts && !isTurning;
    }
}
