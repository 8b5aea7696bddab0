package io.evenkeel.app.observe;

/**
 * A condition that counts once it has held for a while, and is over once it has not held for as long. What comes and goes within that
 * time is no news.
 */
final class Settling {

    /** What is to be told. */
    enum News {
        NONE,
        BEGAN,
        ENDED
    }

    private final long settle;
    private boolean counts;
    private boolean isTurning;
    private long turnedAt;
    private long begunAt;

    /** @param settle how long, in nanoseconds */
    Settling(long settle) {
        this.settle = settle;
    }

    /** The condition as it is now. */
    News note(boolean holds, long now) {
        if (holds == counts) {
            isTurning = false;
            return News.NONE;
        }
        if (!isTurning) {
            isTurning = true;
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

    /** Whether it counts. */
    boolean counts() {
        return counts;
    }

    /** When it began to hold, of one that counts or counted last. */
    long begunAt() {
        return begunAt;
    }

    /** When it turned last. */
    long turnedAt() {
        return turnedAt;
    }

    /** Whether it stays as it is without another word. */
    boolean isAtRest() {
        return !counts && !isTurning;
    }
}
