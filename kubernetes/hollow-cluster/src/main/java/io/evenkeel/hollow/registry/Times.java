package io.evenkeel.hollow.registry;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/** The server's clock, in whole seconds as metadata shows it. */
public record Times(InstantSource clock) {

    public Instant instant() {
        return clock.instant();
    }

    public String now() {
        return in(0);
    }

    public String in(long seconds) {
        return format(clock.instant().plusSeconds(seconds));
    }

    public static String format(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
