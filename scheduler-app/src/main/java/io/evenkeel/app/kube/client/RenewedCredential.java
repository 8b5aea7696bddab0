package io.evenkeel.app.kube.client;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A credential that is made again when its time is up or the server no longer accepts it. */
final class RenewedCredential implements CredentialSource {
    /** Clocks differ, and a request takes its time. */
    private static final Duration MARGIN = Duration.ofSeconds(10);

    private final Maker maker;
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Expiring latest;

    RenewedCredential(Maker maker, InstantSource clock) {
        this.maker = maker;
        this.clock = clock;
    }

    /** Makes credentials. */
    @FunctionalInterface
    interface Maker {
        Expiring make() throws IOException;
    }

    /** A credential, and until when it can be used. */
    record Expiring(Credential credential, Optional<Instant> expiry) {}

    @Override
    public Credential current() throws IOException {
        lock.lock();
        try {
            Expiring known = latest;
            if (known == null || isOver(known)) {
                known = maker.make();
                latest = known;
            }
            return known.credential();
        } finally {
            lock.unlock();
        }
    }

    private boolean isOver(Expiring known) {
        return known.expiry()
                .filter(expiry -> !clock.instant().isBefore(expiry.minus(MARGIN)))
                .isPresent();
    }

    @Override
    public boolean reject(Credential refused) {
        lock.lock();
        try {
            // Another thread may have been refused with the same one, and renewed it since.
            if (latest != null && latest.credential().equals(refused)) {
                latest = null;
            }
            return true;
        } finally {
            lock.unlock();
        }
    }
}
