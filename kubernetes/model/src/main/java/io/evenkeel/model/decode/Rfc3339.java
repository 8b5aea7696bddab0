package io.evenkeel.model.decode;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Moments as the API writes them: RFC 3339 in whole seconds of UTC, such as {@code 2026-11-22T15:05:00Z}, in the years 0
 * to 9999. Fractions of seconds and other zones are read as kube-apiserver reads them, and written so.
 */
final class Rfc3339 {
    private static final long FIRST = -62_167_219_200L;
    private static final long LAST = 253_402_300_799L;
    private static final int LAST_DAY_OF_ALL_MONTHS = 28;
    private static final String USUAL = "dddd-dd-ddTdd:dd:ddZ";
    private static final Pattern ANY = Pattern.compile(
            "(\\d{4})-(\\d\\d)-(\\d\\d)T(\\d\\d):(\\d\\d):(\\d\\d)(?:[.,]\\d+)?(?:Z|([+-])(\\d\\d):(\\d\\d))");

    private Rfc3339() {}

    /**
     * Returns the moment as the API writes it.
     *
     * @throws DateTimeException if the text is none
     */
    static String normalized(String text) {
        return isUsual(text) ? text : parsed(text);
    }

    /**
     * The moment as the API writes it.
     *
     * @throws DateTimeException if the year is not one of 0 to 9999
     */
    static String ofEpochSecond(long second) {
        if (second < FIRST || second > LAST) {
            throw new DateTimeException(second + " is in no year of four digits");
        }
        return Instant.ofEpochSecond(second).toString();
    }

    /** As nearly all are: this alone is asked of each that comes. */
    private static boolean isUsual(String text) {
        if (text.length() != USUAL.length()) {
            return false;
        }
        for (int i = 0; i < USUAL.length(); i++) {
            char c = text.charAt(i);
            char usual = USUAL.charAt(i);
            if (usual == 'd' ? c < '0' || c > '9' : c != usual) {
                return false;
            }
        }
        return isWithin(text, 5, 1, 12)
                && isWithin(text, 8, 1, LAST_DAY_OF_ALL_MONTHS)
                && isWithin(text, 11, 0, 23)
                && isWithin(text, 14, 0, 59)
                && isWithin(text, 17, 0, 59);
    }

    private static boolean isWithin(String text, int position, int least, int most) {
        int number = 10 * (text.charAt(position) - '0') + text.charAt(position + 1) - '0';
        return number >= least && number <= most;
    }

    private static String parsed(String text) {
        Matcher parts = ANY.matcher(text);
        if (!parts.matches()) {
            throw new DateTimeException("no time in RFC 3339");
        }
        long local = LocalDateTime.of(
                        number(parts, 1),
                        number(parts, 2),
                        number(parts, 3),
                        number(parts, 4),
                        number(parts, 5),
                        number(parts, 6))
                .toEpochSecond(ZoneOffset.UTC);
        return ofEpochSecond(local - offset(parts));
    }

    /** In seconds. A whole day, or hour of minutes, is taken as the API takes it. */
    private static long offset(Matcher parts) {
        if (parts.group(7) == null) {
            return 0;
        }
        int hours = number(parts, 8);
        int minutes = number(parts, 9);
        if (hours > 24 || minutes > 60) {
            throw new DateTimeException("no offset of a zone");
        }
        long seconds = 3600L * hours + 60L * minutes;
        return parts.group(7).equals("-") ? -seconds : seconds;
    }

    private static int number(Matcher parts, int group) {
        return Integer.parseInt(parts.group(group));
    }
}
