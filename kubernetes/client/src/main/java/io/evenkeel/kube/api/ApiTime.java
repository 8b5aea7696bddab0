package io.evenkeel.kube.api;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Times as the API writes them: always UTC, always with the same number of digits. */
public final class ApiTime {
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
