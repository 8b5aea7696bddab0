package io.evenkeel.app.http;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The status of a component: its name, its version, since when it runs.
 *
 * @param version its own
 * @param emulationVersion of Kubernetes, which it behaves as
 * @param paths what else it serves
 */
public record StatusPage(
        Instant started, String version, String emulationVersion, List<String> paths, InstantSource clock)
        implements Zpage.Content {
    private static final DateTimeFormatter UNIX_DATE = DateTimeFormatter.ofPattern(
                    "EEE MMM ppd HH:mm:ss 'UTC' yyyy", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    public StatusPage {
        paths = List.copyOf(paths);
    }

    @Override
    public String text() {
        Duration up = up();
        return """

                Started: %s
                Up: %d hr %02d min %02d sec
                Java version: %s
                Binary version: %s
                Emulation version: %s
                Paths: %s
                """.formatted(
                        UNIX_DATE.format(started),
                        up.toHours(),
                        up.toMinutesPart(),
                        up.toSecondsPart(),
                        java(),
                        version,
                        emulationVersion,
                        String.join(" ", paths));
    }

    /** {@code goVersion} is of the API; of a program in Java it tells Java's. */
    @Override
    public Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("startTime", started.truncatedTo(ChronoUnit.SECONDS).toString());
        fields.put("uptimeSeconds", up().toSeconds());
        fields.put("goVersion", "java" + java());
        fields.put("binaryVersion", version);
        fields.put("emulationVersion", emulationVersion);
        fields.put("paths", paths);
        return fields;
    }

    private Duration up() {
        Duration up = Duration.between(started, clock.instant());
        return up.isNegative() ? Duration.ZERO : up;
    }

    private static String java() {
        Runtime.Version java = Runtime.version();
        return java.feature() + "." + java.interim() + "." + java.update();
    }
}
