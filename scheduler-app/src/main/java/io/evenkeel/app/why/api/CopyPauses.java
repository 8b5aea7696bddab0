package io.evenkeel.app.why.api;

import java.time.Duration;

/**
 * How long to wait before the cluster is copied again, so that the engine is not asked for all of its objects over and over
 * where something breaks each copy at once. The pauses grow with each copy, and begin anew after a calm while.
 */
final class CopyPauses {
    private static final long FIRST = Duration.ofSeconds(1).toNanos();
    private static final long LONGEST = Duration.ofMinutes(1).toNanos();
    private static final long CALM = Duration.ofMinutes(5).toNanos();

    private long pause;
    private long lastMade;

    /** How long it is until another may be made; 0 where it may be now. */
    long nanosUntilNext(long now) {
        return Math.max(0, pause - (now - lastMade));
    }

    /** One has been made, or it was tried in vain. */
    void made(long now) {
        boolean isCalm = pause == 0 || now - lastMade >= CALM;
        pause = isCalm ? FIRST : Math.min(2 * pause, LONGEST);
        lastMade = now;
    }
}
