package io.evenkeel.tools.cli;

import io.evenkeel.config.file.GoDuration;
import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.tools.rerun.Moment;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A moment of a record: a time of day, with its date or without, in UTC if not said; or a duration from the beginning. */
final class RecordedMoment implements ITypeConverter<Moment> {
    private static final DateTimeFormatter WRITTEN = new DateTimeFormatterBuilder()
            .parseCaseInsensitive()
            .appendPattern("[uuuu-MM-dd'T']H:mm[:ss]")
            .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
            .appendPattern("[XXX]")
            .toFormatter(Locale.ROOT)
            .withResolverStyle(ResolverStyle.STRICT);

    @Override
    public Moment convert(String value) {
        return GoDuration.parse(value)
                .filter(duration -> !duration.isNegative())
                .<Moment>map(Moment.After::new)
                .orElseGet(() -> time(value));
    }

    private static Moment time(String value) {
        try {
            TemporalAccessor time = WRITTEN.parseBest(
                    value.replace(' ', 'T'),
                    OffsetDateTime::from,
                    LocalDateTime::from,
                    OffsetTime::from,
                    LocalTime::from);
            return switch (time) {
                case OffsetDateTime full -> new Moment.At(full.toInstant());
                case LocalDateTime inUtc -> new Moment.At(inUtc.toInstant(ZoneOffset.UTC));
                case OffsetTime elsewhere ->
                    new Moment.OfDay(
                            elsewhere.withOffsetSameInstant(ZoneOffset.UTC).toLocalTime());
                default -> new Moment.OfDay(LocalTime.from(time));
            };
        } catch (DateTimeParseException neither) {
            throw new TypeConversionException(
                    "expected a time such as 08:30 or 2026-11-25T08:30:00Z, or a duration such as 90m, got "
                            + Excerpt.quoted(value));
        }
    }
}
