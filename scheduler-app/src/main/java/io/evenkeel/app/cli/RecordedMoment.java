package io.evenkeel.app.cli;

import io.evenkeel.app.record.replay.Moment;
import io.evenkeel.config.yaml.GoDuration;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A moment of a record: a time of day with its date, or a duration from the beginning. */
final class RecordedMoment implements ITypeConverter<Moment> {
    @Override
    public Moment convert(String value) {
        return GoDuration.parse(value)
                .filter(duration -> !duration.isNegative())
                .<Moment>map(Moment.After::new)
                .orElseGet(() -> time(value));
    }

    private static Moment time(String value) {
        try {
            return new Moment.At(OffsetDateTime.parse(value).toInstant());
        } catch (DateTimeParseException neither) {
            throw new TypeConversionException(
                    "expected a time such as 2026-11-25T08:30:00Z, or a duration such as 90m, got \"" + value + "\"");
        }
    }
}
