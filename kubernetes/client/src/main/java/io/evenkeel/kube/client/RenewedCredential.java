package io.evenkeel.kube.client;

import io.evenkeel.file.FileContent;
import io.evenkeel.kube.client.Credential.CredentialSource;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * A credential that is made again when its time is up or the server no longer accepts it. It is made on a thread of its
 * own: requests go on with the last one while it is good, and wait only where there is none. All that wait share one
 * outcome, so a maker that hangs holds each of them up for its timeout once.
 */
final class RenewedCredential implements CredentialSource {
    private static final Logger log = LoggerFactory.getLogger(RenewedCredential.class);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);

    private final Maker maker;
    private final InstantSource clock;
    private @Nullable Expiring latest;
    private @Nullable CompletableFuture<Credential> underway;
    private boolean failing;

    public RenewedCredential(Maker maker, InstantSource clock) {
        this.maker = maker;
        this.clock = clock;
    }

    @FunctionalInterface
    public interface Maker {
        Expiring make() throws IOException;
    }

    /**
     * A credential, and for how long.
     *
     * @param staleFrom from when on another is to be made
     * @param expiry from when on it cannot be used, even if there is no other
     */
    public record Expiring(Credential credential, Optional<Instant> staleFrom, Optional<Instant> expiry) {
        /** Clocks differ, and a request takes its time. */
        private static final Duration MARGIN = Duration.ofSeconds(10);

        public static Expiring at(Optional<Instant> expiry, Credential credential) {
            return new Expiring(credential, expiry.map(end -> end.minus(MARGIN)), expiry);
        }

        boolean isStale(Instant now) {
            return staleFrom.filter(start -> !now.isBefore(start)).isPresent();
        }

        boolean isOver(Instant now) {
            return expiry.filter(end -> !now.isBefore(end)).isPresent();
        }

        public Expiring withoutCertificate() {
            return new Expiring(credential.withoutCertificate(), staleFrom, expiry);
        }

        /** Not later than its end: what is over is not to be shown, however lately another was tried to be made. */
        Expiring staleFrom(Instant start) {
            return new Expiring(credential, expiry.filter(start::isAfter).or(() -> Optional.of(start)), expiry);
        }
    }

    @Override
    public Credential current() throws IOException {
        CompletableFuture<Credential> renewal;
        synchronized (this) {
            Optional<Credential> known = atHand();
            if (known.isPresent()) {
                return known.get();
            }
            renewal = renewal();
        }
        return await(renewal);
    }

    @Override
    public synchronized Optional<Credential> atHand() {
        Instant now = clock.instant();
        Expiring known = latest;
        if (known == null) {
            return Optional.empty();
        }
        if (known.isStale(now)) {
            var _ = renewal();
        }
        return known.isOver(now) ? Optional.empty() : Optional.of(known.credential());
    }

    private static Credential await(CompletableFuture<Credential> renewal) throws IOException {
        try {
            return renewal.get();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a credential was renewed");
        } catch (ExecutionException failed) {
            throw new IOException(ClientConfigurationException.reason(unwrapped(failed)), failed);
        }
    }

    private static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure.getCause();
        boolean wraps = failure instanceof ExecutionException || failure instanceof UncheckedIOException;
        return wraps && cause != null ? unwrapped(cause) : failure;
    }

    private CompletableFuture<Credential> renewal() {
        CompletableFuture<Credential> begun = underway;
        if (begun == null) {
            begun = CompletableFuture.supplyAsync(
                    this::renew, task -> Thread.ofVirtual().name("credential").start(task));
            underway = begun;
        }
        return begun;
    }

    private Credential renew() {
        try {
            Expiring made = maker.make();
            renewed(made);
            return made.credential();
        } catch (IOException failed) {
            notRenewed(failed);
            throw new UncheckedIOException(failed);
        } catch (RuntimeException failed) {
            notRenewed(failed);
            throw failed;
        }
    }

    private synchronized void renewed(Expiring made) {
        underway = null;
        failing = false;
        latest = made;
    }

    private synchronized void notRenewed(Exception failure) {
        underway = null;
        Expiring known = latest;
        if (known != null) {
            latest = known.staleFrom(clock.instant().plus(PAUSE_AFTER_FAILURE));
            report(failure);
            failing = true;
        }
    }

    /** A request that waits fails and tells of it; one that goes on with the last credential does not, so it is logged here. */
    private void report(Exception failure) {
        log.atLevel(failing ? Level.DEBUG : Level.WARN)
                .setMessage("Cannot renew credential, using the current one until it expires")
                .addKeyValue("why", ClientConfigurationException.reason(failure))
                .log();
    }

    @Override
    public synchronized boolean reject(Credential refused) {
        // Another thread may have been refused with the same one, and renewed it since.
        if (latest != null && latest.credential().equals(refused)) {
            latest = null;
        }
        return true;
    }

    /**
     * A token in a file that the kubelet, or another program, renews. While the file cannot be read the last token that was in
     * it is used; where none was, another, if there is one.
     */
    static final class TokenFile implements CredentialSource {
        private static final Duration READ_AGAIN_AFTER = Duration.ofMinutes(1);

        private final Path path;
        private final Optional<Credential> otherwise;
        private final InstantSource clock;
        private final RenewedCredential latest;

        /** @param otherwise what to show until there is a token */
        public TokenFile(Path path, Optional<Credential> otherwise, InstantSource clock) {
            this.path = path;
            this.otherwise = otherwise;
            this.clock = clock;
            this.latest = new RenewedCredential(this::read, clock);
        }

        private RenewedCredential.Expiring read() throws IOException {
            String token = text().strip();
            if (token.isEmpty() || !Credential.fitsHeader(token)) {
                throw new IOException("there is no token in the token file " + path);
            }
            return new RenewedCredential.Expiring(
                    Credential.bearer(token), Optional.of(clock.instant().plus(READ_AGAIN_AFTER)), Optional.empty());
        }

        private String text() throws IOException {
            try {
                return FileContent.text(path);
            } catch (IOException unreadable) {
                throw new IOException(
                        "cannot read the token file " + path + ": " + ClientConfigurationException.reason(unreadable),
                        unreadable);
            }
        }

        @Override
        public Credential current() throws IOException {
            try {
                return latest.current();
            } catch (InterruptedIOException stop) {
                throw stop;
            } catch (IOException unreadable) {
                if (otherwise.isEmpty()) {
                    throw unreadable;
                }
                return otherwise.get();
            }
        }

        @Override
        public Optional<Credential> atHand() {
            return latest.atHand();
        }

        @Override
        public boolean reject(Credential refused) {
            return latest.reject(refused) && !otherwise.equals(Optional.of(refused));
        }
    }
}
