package io.evenkeel.config;

import io.evenkeel.model.Container;
import io.evenkeel.model.Pod;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

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

    public boolean isInterestedIn(Pod pod) {
        return managedResources.isEmpty()
                || Stream.concat(pod.spec().containers().stream(), pod.spec().initContainers().stream())
                        .anyMatch(this::manages);
    }

    private boolean manages(Container container) {
        return managedResources.stream()
                .map(ManagedResource::name)
                .anyMatch(name -> container.requests().containsKey(name)
                        || container.limits().containsKey(name));
    }

    /** Whether it has a say in where pods go, before one is placed. */
    public boolean advises() {
        return !filterVerb.isEmpty() || !prioritizeVerb.isEmpty();
    }

    public boolean binds() {
        return !bindVerb.isEmpty();
    }

    public boolean preempts() {
        return !preemptVerb.isEmpty();
    }

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
