package io.evenkeel.app.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** UTC, always with milliseconds, so that lines align and sort. */
final class Timestamps {
    private static final DateTimeFormatter MILLISECONDS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private Timestamps() {}

    static String format(ILoggingEvent event) {
        return MILLISECONDS.format(Instant.ofEpochMilli(event.getTimeStamp()));
    }
}
