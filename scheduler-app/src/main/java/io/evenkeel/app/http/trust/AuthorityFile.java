package io.evenkeel.app.http.trust;

import io.evenkeel.app.tls.Authorities;
import io.evenkeel.config.FileProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Authorities from a PEM file, read anew when it changes. The file is looked at when somebody connects or asks, every
 * ten seconds at most; while it is of no use, the last that was is kept.
 */
public final class AuthorityFile implements Supplier<Authorities> {
    private static final Logger log = LoggerFactory.getLogger(AuthorityFile.class);
    static final Duration LOOK_EVERY = Duration.ofSeconds(10);

    private final Path file;
    private final InstantSource clock;
    private byte[] content;
    private Authorities authorities;
    private Instant lookedAt;
    private boolean inTrouble;

    /** @throws IOException if the file cannot be read or has no authority in it */
    public AuthorityFile(Path file, InstantSource clock) throws IOException {
        this.file = file;
        this.clock = clock;
        this.lookedAt = clock.instant();
        this.content = bytes();
        this.authorities = parse(content);
    }

    @Override
    public synchronized Authorities get() {
        Instant now = clock.instant();
        if (!now.isBefore(lookedAt.plus(LOOK_EVERY))) {
            lookedAt = now;
            look();
        }
        return authorities;
    }

    private void look() {
        try {
            byte[] latest = bytes();
            if (!Arrays.equals(latest, content)) {
                authorities = parse(latest);
                content = latest;
                log.atInfo()
                        .setMessage("Client authorities reloaded")
                        .addKeyValue("file", file)
                        .addKeyValue("names", authorities.names())
                        .log();
            }
            inTrouble = false;
        } catch (IOException unusable) {
            log.atLevel(inTrouble ? Level.DEBUG : Level.WARN)
                    .setMessage("Client authorities not reloaded, those before are kept")
                    .addKeyValue("why", unusable.getMessage())
                    .log();
            inTrouble = true;
        }
    }

    private byte[] bytes() throws IOException {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new IOException(FileProblem.reading(file, e), e);
        }
    }

    private Authorities parse(byte[] pem) throws IOException {
        try {
            return Authorities.parse(pem);
        } catch (GeneralSecurityException e) {
            throw new IOException("cannot use " + file + ": " + e.getMessage(), e);
        }
    }
}
