package io.evenkeel.app.http.auth;

import io.evenkeel.app.http.trust.ClusterTrust;
import io.evenkeel.app.http.trust.TrustedClients;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * How clients are told apart, until it is closed.
 *
 * @param trust whose certificates are believed at this moment
 * @param published where some of that comes from the cluster, what keeps reading it
 */
public record Authentication(
        Supplier<TrustedClients> trust, Identification identification, Optional<ClusterTrust> published)
        implements AutoCloseable {

    @Override
    public void close() {
        published.ifPresent(ClusterTrust::close);
    }
}
