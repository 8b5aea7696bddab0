package io.evenkeel.app.http.auth;

import io.evenkeel.app.http.AccessControl;
import io.evenkeel.app.option.TimeSpan;
import io.evenkeel.kube.api.ApiTransport;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The options about what a client may read, by the names that kube-scheduler gave them. */
@Command(optionListHeading = "Access")
public final class AuthorizationOptions {
    @Option(
            names = "--authorization-kubeconfig",
            paramLabel = "FILE",
            description = "Kubeconfig of the API server that reviews access (default: the scheduler's own)")
    private Optional<Path> kubeconfig = Optional.empty();

    @Option(
            names = "--authorization-webhook-cache-authorized-ttl",
            paramLabel = "DURATION",
            converter = TimeSpan.FromZero.class,
            description = "How long to cache that a user may read a path (default: 10s)")
    private Duration allowedMemory = Duration.ofSeconds(10);

    @Option(
            names = "--authorization-webhook-cache-unauthorized-ttl",
            paramLabel = "DURATION",
            converter = TimeSpan.FromZero.class,
            description = "How long to cache that a user may not read a path (default: 10s)")
    private Duration deniedMemory = Duration.ofSeconds(10);

    @Option(
            names = "--authorization-always-allow-paths",
            paramLabel = "PATH",
            split = ",",
            description = "Paths that need no authorization; an asterisk at the end matches anything (default:"
                    + " /healthz,/readyz,/livez)")
    private List<String> allowedPaths = List.of("/healthz", "/readyz", "/livez");

    public Optional<Path> kubeconfig() {
        return kubeconfig;
    }

    /**
     * The access control that these options describe.
     *
     * @param reviewer reviews access; without it clients may read {@code --authorization-always-allow-paths} alone
     */
    public AccessControl access(Identification identification, Optional<ApiTransport> reviewer, InstantSource clock) {
        return new DelegatedAccess(
                allowedPaths, identification, new AccessReviews(reviewer, allowedMemory, deniedMemory, clock));
    }
}
