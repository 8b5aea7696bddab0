package io.evenkeel.world.play;

import java.time.Instant;

/**
 * A machine's idea of time: runs at a rate of its own, and its time of day may be set. For example at rate 4/8, begun when
 * the world's clock showed 10 s: at 30 s it has counted 10 s.
 */
public final class LocalClock {
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
    private static final int WHOLE = 8;

    private final Agenda agenda;
    private final long begun;
    private final int eighths;
    private long set;

    /** @param eighths how much of a nanosecond passes here in one of the world's */
    public LocalClock(Agenda agenda, int eighths) {
        this.agenda = agenda;
        this.eighths = eighths;
        begun = agenda.now();
    }

    public long nanos() {
        return (agenda.now() - begun) * eighths / WHOLE;
    }

    public Instant time() {
        return BEGIN.plusNanos(begun + (agenda.now() - begun) * eighths / WHOLE + set);
    }

    /** Sets the time of day forward, or back. */
    public void set(long nanosAhead) {
        set += nanosAhead;
    }

    /** How long the world's clock takes until so much has passed here. */
    public long inWorld(long nanos) {
        return nanos > Long.MAX_VALUE / 16 ? Long.MAX_VALUE / 4 : (nanos * WHOLE + eighths - 1) / eighths;
    }
}
