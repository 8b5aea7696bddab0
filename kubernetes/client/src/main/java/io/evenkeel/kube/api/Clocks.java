package io.evenkeel.kube.api;

import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoField;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Time and chance, handed in wherever either is needed, so that a test decides both. Threads may share them.
 *
 * @param nanos how much time has passed, by a clock that is never set and was not far from 0 at the beginning
 * @param time of day, as objects carry it
 */
public record Clocks(LongSupplier nanos, InstantSource time, RandomGenerator random) {
    public static final Clocks SYSTEM = new Clocks(
            sinceThisSecond(System::nanoTime, InstantSource.system()),
            InstantSource.system(),
            () -> ThreadLocalRandom.current().nextLong());

    /**
     * From less than a second on, so that no sum of times can overflow: {@link System#nanoTime} may begin anywhere. Its whole
     * seconds are the time of day's, until that is set.
     */
    static LongSupplier sinceThisSecond(LongSupplier nanoTime, InstantSource time) {
        long begin = nanoTime.getAsLong() - time.instant().getLong(ChronoField.NANO_OF_SECOND);
        return () -> nanoTime.getAsLong() - begin;
    }

    /** Times as the API writes them: always UTC, always with the same number of digits. */
    public static final class ApiTime {
        private static final DateTimeFormatter SECONDS =
                DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss'Z'").withZone(ZoneOffset.UTC);
        private static final DateTimeFormatter MICROS =
                DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

        private ApiTime() {}

        /** The API's {@code Time}. */
        public static String seconds(Instant time) {
            return SECONDS.format(time);
        }

        /** The API's {@code MicroTime}. */
        public static String micros(Instant time) {
            return MICROS.format(time);
        }
    }
}
