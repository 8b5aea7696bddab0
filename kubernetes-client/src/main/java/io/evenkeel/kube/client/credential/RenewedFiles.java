package io.evenkeel.kube.client.credential;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * What is in files that somebody may renew. They are read again now and then; while they cannot be read, or do not fit
 * together, what was in them last holds, and the log says so once.
 */
public final class RenewedFiles<T> {
    private static final Logger log = LoggerFactory.getLogger(RenewedFiles.class);
    private static final Duration READ_AGAIN_AFTER = Duration.ofMinutes(1);

    private record Reading<T>(T content, Instant at, boolean failed) {}

    private final Supplier<T> files;
    private final InstantSource clock;
    private volatile Reading<T> latest;

    /**
     * To begin with what was just read.
     *
     * @param files throws a ClientConfigurationException where they will not do
     */
    public RenewedFiles(T first, Supplier<T> files, InstantSource clock) {
        this.files = files;
        this.clock = clock;
        this.latest = new Reading<>(first, clock.instant(), false);
    }

    public T current() {
        Reading<T> known = latest;
        boolean isOld = !clock.instant().isBefore(known.at.plus(READ_AGAIN_AFTER));
        return isOld ? readAgain() : known.content;
    }

    /** Two threads may both do so, to the same end. */
    public T readAgain() {
        Reading<T> known = latest;
        Optional<T> read = read(known.failed ? Level.DEBUG : Level.WARN);
        latest = new Reading<>(read.orElse(known.content), clock.instant(), read.isEmpty());
        return latest.content;
    }

    private Optional<T> read(Level whereItFails) {
        try {
            return Optional.of(files.get());
        } catch (ClientConfigurationException unusable) {
            log.atLevel(whereItFails)
                    .setMessage("Cannot re-read credential file, keeping the last content")
                    .addKeyValue("why", unusable.getMessage())
                    .log();
            return Optional.empty();
        }
    }
}
