package io.evenkeel.app.option;

import io.evenkeel.config.file.GoDuration;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Durations as Kubernetes components take them, such as 1m30s; not negative, and of a year at most. */
public abstract class TimeSpan implements ITypeConverter<Duration> {
    private static final Duration LONGEST = Duration.ofDays(365);

    private final boolean zeroToo;

    TimeSpan(boolean zeroToo) {
        this.zeroToo = zeroToo;
    }

    /** Zero or longer. */
    public static final class FromZero extends TimeSpan {
        public FromZero() {
            super(true);
        }
    }

    /** Longer than zero. */
    public static final class Positive extends TimeSpan {
        public Positive() {
            super(false);
        }
    }

    @Override
    public final Duration convert(String value) {
        Duration span = GoDuration.parse(value)
                .orElseThrow(
                        () -> new TypeConversionException("expected a duration such as 10s, got \"" + value + "\""));
        if (zeroToo ? span.isNegative() : !span.isPositive()) {
            throw new TypeConversionException(
                    (zeroToo ? "must not be negative" : "must be greater than zero") + ", got " + value);
        }
        if (span.compareTo(LONGEST) > 0) {
            throw new TypeConversionException("must be at most " + LONGEST.toHours() + "h, got " + value);
        }
        return span;
    }
}
