package io.evenkeel.tools.rerun;

import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Optional;

/** From when to when a run is recorded. */
record Span(Instant begin, Instant end) {

    /** The last time in it that it was so late in the day; empty where it never was. */
    Optional<Instant> last(LocalTime time) {
        ZonedDateTime thatDay = end.atZone(ZoneOffset.UTC).with(time);
        Instant last = (thatDay.toInstant().isAfter(end) ? thatDay.minusDays(1) : thatDay).toInstant();
        return Optional.of(last).filter(moment -> !moment.isBefore(begin));
    }

    @Override
    public String toString() {
        return begin + " to " + end;
    }
}
