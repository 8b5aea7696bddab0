package io.evenkeel.app.option;

import io.evenkeel.app.option.GoFlags.ListFlag;
import io.evenkeel.config.file.GoDuration;
import io.evenkeel.model.value.Quantity;
import java.math.BigInteger;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converters of option values, each named after what it takes. */
public final class Converters {

    private Converters() {}

    /** A name that must not be empty: an empty one most often comes from an unset variable. */
    public static final class Name implements ITypeConverter<String> {
        @Override
        public String convert(String value) {
            if (value.isBlank()) {
                throw new TypeConversionException("must not be empty");
            }
            return value;
        }
    }

    /** A pod, as {@code namespace/name}. */
    public static final class PodKey implements ITypeConverter<String> {
        @Override
        public String convert(String value) {
            if (!value.matches("[^/]+/[^/]+")) {
                throw new TypeConversionException("expected NAMESPACE/POD, got \"" + value + '"');
            }
            return value;
        }
    }

    /** A path of a file or directory. An empty one is refused: it would mean the working directory, and most often comes from an unset variable. */
    public static final class FilePath implements ITypeConverter<Path> {
        @Override
        public Path convert(String value) {
            if (value.isEmpty()) {
                throw new TypeConversionException("must not be empty");
            }
            try {
                return Path.of(value);
            } catch (InvalidPathException e) {
                throw new TypeConversionException("\"" + value + "\" is no path");
            }
        }
    }

    /** A boolean in all spellings that Go's flags take. */
    public static final class GoBool implements ITypeConverter<Boolean> {
        private static final Set<String> TRUE = Set.of("1", "t", "T", "true", "TRUE", "True");
        private static final Set<String> FALSE = Set.of("0", "f", "F", "false", "FALSE", "False");

        @Override
        public Boolean convert(String value) {
            return parse(value)
                    .orElseThrow(() -> new TypeConversionException("expected true or false, got \"" + value + "\""));
        }

        static Optional<Boolean> parse(String value) {
            if (TRUE.contains(value)) {
                return Optional.of(true);
            }
            return FALSE.contains(value) ? Optional.of(false) : Optional.empty();
        }
    }

    /** A number of bytes as Kubernetes writes amounts, such as 512, 1K or 2Ki. */
    public static final class ByteSize implements ITypeConverter<Quantity> {
        @Override
        public Quantity convert(String value) {
            try {
                return Quantity.parse(value);
            } catch (IllegalArgumentException unreadable) {
                throw new TypeConversionException("expected a size such as 2Ki, got \"" + value + "\"");
            }
        }
    }

    /** Whole numbers within bounds, which the nested converters name. */
    public abstract static class WholeNumber implements ITypeConverter<Integer> {
        private final int least;
        private final int most;

        WholeNumber(int least, int most) {
            this.least = least;
            this.most = most;
        }

        /** A port to listen on; 0 is left to the option to explain. */
        public static final class Port extends WholeNumber {
            private static final int LAST = 65_535;

            public Port() {
                super(0, LAST);
            }
        }

        public static final class FromZero extends WholeNumber {
            public FromZero() {
                super(0, Integer.MAX_VALUE);
            }
        }

        public static final class Positive extends WholeNumber {
            public Positive() {
                super(1, Integer.MAX_VALUE);
            }
        }

        /** Requests at once, as many as there may be in a second; 0 for the default. */
        public static final class Burst extends WholeNumber {
            private static final int MOST = 1_000_000;

            public Burst() {
                super(0, MOST);
            }
        }

        /** Any that fits a long; its bounds are checked where it is used. */
        public static final class Any extends WholeNumber {
            public Any() {
                super(Integer.MIN_VALUE, Integer.MAX_VALUE);
            }
        }

        @Override
        public final Integer convert(String value) {
            BigInteger number = parse(value);
            boolean inside =
                    number.compareTo(BigInteger.valueOf(least)) >= 0 && number.compareTo(BigInteger.valueOf(most)) <= 0;
            if (!inside) {
                throw new TypeConversionException(bounds() + ", got " + value);
            }
            return number.intValueExact();
        }

        private String bounds() {
            if (most < Integer.MAX_VALUE) {
                return "must be between " + least + " and " + most;
            }
            return least == Integer.MIN_VALUE ? "must fit 32 bits" : "must be at least " + least + " and fit 32 bits";
        }

        private static BigInteger parse(String value) {
            try {
                return new BigInteger(value);
            } catch (NumberFormatException e) {
                throw new TypeConversionException("expected a whole number, got \"" + value + "\"");
            }
        }
    }

    /** Durations as Kubernetes components take them, such as 1m30s; not negative, and of a year at most. */
    public abstract static class TimeSpan implements ITypeConverter<Duration> {
        private static final Duration LONGEST = Duration.ofDays(365);

        private final boolean zeroToo;

        TimeSpan(boolean zeroToo) {
            this.zeroToo = zeroToo;
        }

        public static final class FromZero extends TimeSpan {
            public FromZero() {
                super(true);
            }
        }

        public static final class Positive extends TimeSpan {
            public Positive() {
                super(false);
            }
        }

        @Override
        public final Duration convert(String value) {
            Duration span = GoDuration.parse(value)
                    .orElseThrow(() ->
                            new TypeConversionException("expected a duration such as 10s, got \"" + value + "\""));
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

    /** Names with commas between; an empty text is an empty list, but no name in a list is empty. */
    public record NameList(List<String> names) implements ListFlag {

        public static NameList of(String... names) {
            return new NameList(List.of(names));
        }

        @Override
        public String toString() {
            return "[" + String.join(",", names) + "]";
        }

        public static final class Converter implements ITypeConverter<NameList> {
            @Override
            public NameList convert(String value) {
                if (value.isEmpty()) {
                    return of();
                }
                String[] names = value.split(",", -1);
                for (String name : names) {
                    if (name.isBlank()) {
                        throw new TypeConversionException(
                                "expected names with commas between, none of them empty, got \"" + value + "\"");
                    }
                }
                return of(names);
            }
        }
    }
}
