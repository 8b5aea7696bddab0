package io.evenkeel.app.record.replay;

import io.evenkeel.app.record.format.SegmentHeader;
import java.time.Duration;
import java.time.Instant;

/** A moment of a record. */
public sealed interface Moment {
    /** By the time of day. */
    record At(Instant time) implements Moment {}

    /** So long after the beginning of the record. */
    record After(Duration duration) implements Moment {}

    /** As the time of day, in a record that begins with this segment. */
    default Instant in(SegmentHeader first) {
        return switch (this) {
            case At(Instant time) -> time;
            case After(Duration duration) -> first.time().plus(duration);
        };
    }
}
