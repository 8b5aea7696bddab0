package io.evenkeel.config;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A web service that takes part in scheduling. A verb is appended to the prefix; an empty one means that the extender
 * does not do that.
 *
 * @param managedResources the extender is asked only about pods that request one of them; about all where empty
 * @param ignorable scheduling goes on without the extender where it does not answer
 */
public record Extender(
        String urlPrefix,
        String filterVerb,
        String preemptVerb,
        String prioritizeVerb,
        long weight,
        String bindVerb,
        boolean enableHTTPS,
        Optional<Tls> tlsConfig,
        Duration httpTimeout,
        boolean nodeCacheCapable,
        List<ManagedResource> managedResources,
        boolean ignorable) {

    public static final Duration DEFAULT_HTTP_TIMEOUT = Duration.ofSeconds(5);

    public Extender {
        managedResources = List.copyOf(managedResources);
    }

    /** An extended resource that the extender manages. */
    public record ManagedResource(String name, boolean ignoredByScheduler) {}

    /** TLS settings of the connection; the data fields are in base64 and go before the files. */
    public record Tls(
            boolean insecure,
            String serverName,
            String certFile,
            String keyFile,
            String caFile,
            String certData,
            String keyData,
            String caData) {}
}
