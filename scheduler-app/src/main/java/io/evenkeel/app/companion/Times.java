package io.evenkeel.app.companion;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.function.LongSupplier;

/** The times that a companion goes by; something is said once it has lasted for {@code settle}. */
public record Times(LongSupplier nanos, InstantSource wall, Duration settle) {
    public static final Duration USUAL_SETTLE = Duration.ofMinutes(1);

    public long now() {
        return nanos.getAsLong();
    }

    public Settling settling() {
        return settling(false);
    }

    /** Of what counts already, or does not. */
    public Settling settling(boolean counts) {
        return new Settling(settle.toNanos(), counts);
    }

    /** When that was, to the second. */
    public Instant at(long past) {
        return wall.instant().minusNanos(now() - past).truncatedTo(ChronoUnit.SECONDS);
    }

    /** How long ago that was, to the second. */
    public Duration since(long past) {
        return Duration.ofNanos(now() - past).truncatedTo(ChronoUnit.SECONDS);
    }

    /**
     * A condition that counts once it has held for a while, and is over once it has not held for as long. What comes and goes within that
     * time is no news.
     */
    public static final class Settling {

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

        /** @param settle how long, in nanoseconds */
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

        public boolean isInEffect() {
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
        public boolean isOver() {
            return !counts && !isTurning;
        }
    }
}
