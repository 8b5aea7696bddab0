package io.evenkeel.app.http.serve;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * The identification of clients by flags and by what the cluster publishes, until it is closed.
 *
 * @param trust the authorities for client certificates that are trusted now
 * @param published the reader of what the cluster publishes, where flags leave something to it
 */
record Authentication(Supplier<TrustedClients> trust, Identification identification, Optional<ClusterTrust> published)
        implements AutoCloseable {

    @Override
    public void close() {
        published.ifPresent(ClusterTrust::close);
    }
}
