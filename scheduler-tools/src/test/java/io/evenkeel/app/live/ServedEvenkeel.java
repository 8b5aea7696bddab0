package io.evenkeel.app.live;

import io.evenkeel.app.companion.Companion;
import io.evenkeel.app.companion.CompanionProvider;
import io.evenkeel.app.http.serve.ServingOptions;
import io.evenkeel.app.http.serve.ServingOptions.Serving;
import io.evenkeel.app.metrics.LiveMetrics;
import io.evenkeel.app.metrics.MetricsOptions.ShownMetrics;
import io.evenkeel.app.option.WhatIfPorts;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.kube.client.ApiObserver;
import io.evenkeel.kube.client.ConnectionOptions;
import io.evenkeel.kube.client.HttpTransport;
import io.evenkeel.testing.Ports;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine;

/** What {@code run --page --why-api} serves, in this process: over TLS to whom it knows, over plain HTTP to everybody. */
public final class ServedEvenkeel implements AutoCloseable {
    private static final SchedulerConfiguration CONFIGURATION = new ConfigurationReader().read("test", """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            leaderElection: {resourceName: evenkeel}
            profiles:
            - schedulerName: evenkeel
              plugins: {multiPoint: {enabled: [{name: Coscheduling}, {name: PlacementPolicy}]}}
            """);

    /** Nothing that an API server has said once is remembered. */
    private static final List<String> FORGETFUL = List.of(
            "--authentication-token-webhook-cache-ttl=0s",
            "--authorization-webhook-cache-authorized-ttl=0s",
            "--authorization-webhook-cache-unauthorized-ttl=0s",
            "--bind-address=127.0.0.1");

    private final HttpTransport transport;
    private final LiveScheduler scheduler;
    private final LiveRoutes routes;
    private final Serving serving;

    /** @param port for HTTPS */
    public ServedEvenkeel(Path kubeconfig, int port) {
        this(kubeconfig, port, Optional.empty());
    }

    /** The same, and with {@code --whatif-api} on these ports. */
    public ServedEvenkeel(Path kubeconfig, int port, Optional<WhatIfPorts> whatIf) {
        LiveOptions options = LiveOptions.usual("test");
        List<Companion> companions = CompanionProvider.all(new CompanionProvider.Setup(
                CONFIGURATION, options.plugins(), "1.0", true, true, Optional.empty(), whatIf));
        LiveMetrics metrics = new LiveMetrics("evenkeel", "1.0", CONFIGURATION.featureGates(), ShownMetrics.ALL);
        ServingOptions flags = new ServingOptions();
        new CommandLine(flags)
                .parseArgs(Stream.concat(
                                FORGETFUL.stream(),
                                Stream.of("--secure-port=" + port, "--insecure-port=" + Ports.unused()))
                        .toArray(String[]::new));
        transport = HttpTransport.open(ConnectionOptions.of(Optional.of(kubeconfig)), "test", ApiObserver.NONE);
        scheduler = LiveScheduler.assemble(CONFIGURATION, transport, options, LiveObservers.of(metrics, companions));
        routes =
                new LiveRoutes(scheduler, metrics, CONFIGURATION, Map.of("page", "true"), transport, "1.0", companions);
        serving = flags.start(routes.routes(), Optional.of(transport), Optional.of(transport), scheduler.supervisor());
        scheduler.begin();
        companions.forEach(companion -> companion.serve(serving.guard()));
    }

    /** For those whom it knows. */
    public URI secure() {
        return URI.create("https://127.0.0.1:" + serving.addresses().getFirst().getPort());
    }

    /** For everybody. */
    public URI plain() {
        return URI.create("http://127.0.0.1:" + serving.addresses().getLast().getPort());
    }

    @Override
    public void close() {
        serving.close();
        routes.close();
        scheduler.close();
        transport.close();
    }
}
