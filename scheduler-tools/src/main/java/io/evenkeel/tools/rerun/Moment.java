package io.evenkeel.tools.rerun;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;

/** A moment of a record. */
public sealed interface Moment {
    /** By date and time of day. */
    record At(Instant time) implements Moment {}

    /** By the time of day alone, on the last day that has it on record; in UTC, as records tell times. */
    record OfDay(LocalTime time) implements Moment {}

    /** So long after the beginning of the record. */
    record After(Duration duration) implements Moment {}
}
