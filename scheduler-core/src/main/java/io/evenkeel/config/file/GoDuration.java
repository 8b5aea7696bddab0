package io.evenkeel.config.file;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as Go writes them: {@code 15s}, {@code 10m0s}, {@code 1.5h}. */
public final class GoDuration {
    private static final Map<String, Long> UNITS = Map.of(
            "ns", 1L,
            "us", 1_000L,
            "\u00b5s", 1_000L,
            "\u03bcs", 1_000L,
            "ms", 1_000_000L,
            "s", 1_000_000_000L,
            "m", 60_000_000_000L,
            "h", 3_600_000_000_000L);
    private static final long MILLISECOND = 1_000_000;
    private static final long TENTH_OF_A_SECOND = 100 * MILLISECOND;
    private static final String PART = "([0-9]+\\.?[0-9]*|\\.[0-9]+)(ns|us|\u00b5s|\u03bcs|ms|s|m|h)";
    private static final Pattern WHOLE = Pattern.compile("[-+]?(" + PART + ")+");
    private static final Pattern EACH_PART = Pattern.compile(PART);

    private GoDuration() {}

    public static Optional<Duration> parse(String text) {
        if (text.equals("0") || text.equals("+0") || text.equals("-0")) {
            return Optional.of(Duration.ZERO);
        }
        if (!WHOLE.matcher(text).matches()) {
            return Optional.empty();
        }
        BigInteger nanos = BigInteger.ZERO;
        Matcher part = EACH_PART.matcher(text);
        while (part.find()) {
            BigDecimal unit = BigDecimal.valueOf(UNITS.getOrDefault(part.group(2), 0L));
            nanos = nanos.add(new BigDecimal(part.group(1)).multiply(unit).toBigInteger());
        }
        if (nanos.bitLength() >= Long.SIZE) {
            return Optional.empty();
        }
        Duration magnitude = Duration.ofNanos(nanos.longValue());
        return Optional.of(text.startsWith("-") ? magnitude.negated() : magnitude);
    }

    /** Hours, minutes and seconds down to seconds; one smaller unit below a second. */
    public static String format(Duration duration) {
        if (duration.isNegative()) {
            return "-" + format(duration.negated());
        }
        if (duration.isZero()) {
            return "0s";
        }
        if (duration.toSeconds() == 0) {
            return belowOneSecond(duration.toNanos());
        }
        String seconds =
                plain(BigDecimal.valueOf(duration.toSecondsPart()).add(BigDecimal.valueOf(duration.toNanosPart(), 9)));
        if (duration.toMinutes() == 0) {
            return seconds + "s";
        }
        String minutes = duration.toMinutesPart() + "m" + seconds + "s";
        return duration.toHours() == 0 ? minutes : duration.toHours() + "h" + minutes;
    }

    /** A measured duration for people to read: to a tenth of a second, below one second to a millisecond. */
    public static String rounded(Duration measured) {
        long unit = measured.abs().toSeconds() > 0 ? TENTH_OF_A_SECOND : MILLISECOND;
        return format(Duration.ofNanos(Math.round((double) measured.toNanos() / unit) * unit));
    }

    private static String belowOneSecond(long nanos) {
        if (nanos < 1_000) {
            return nanos + "ns";
        }
        return nanos < 1_000_000
                ? plain(BigDecimal.valueOf(nanos, 3)) + "\u00b5s"
                : plain(BigDecimal.valueOf(nanos, 6)) + "ms";
    }

    private static String plain(BigDecimal number) {
        return number.stripTrailingZeros().toPlainString();
    }
}
