package io.evenkeel.app.live;

import io.evenkeel.app.companion.Companion.Answering;
import io.evenkeel.app.companion.CompanionProvider;
import io.evenkeel.app.http.serve.ServingOptions;
import io.evenkeel.app.http.serve.ServingOptions.Serving;
import io.evenkeel.app.metrics.LiveMetrics;
import io.evenkeel.app.metrics.MetricsOptions.ShownMetrics;
import io.evenkeel.app.option.WhatIfPorts;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.client.ApiObserver;
import io.evenkeel.kube.client.ConnectionOptions;
import io.evenkeel.kube.client.HttpTransport;
import io.evenkeel.testing.Ports;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;

/** What a replica serves with {@code run --why-api --page --whatif-api} and four shards, in this process: to everybody. */
public final class ServedShards implements AutoCloseable {
    static final SchedulerConfiguration CONFIGURATION = new ConfigurationReader().read("test", """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            leaderElection:
              {resourceName: evenkeel, leaseDuration: 2m, renewDeadline: 1m, retryPeriod: 500ms}
            profiles:
            - schedulerName: evenkeel
              plugins: {multiPoint: {enabled: [{name: Coscheduling}, {name: PlacementPolicy}]}}
            shards: {count: 4}
            """);

    final LiveShards shards;
    final WholeCluster whole;
    private final HttpTransport transport;
    private final LiveRoutes routes;
    private final Serving serving;

    /** @param kept how long the whole cluster is kept after a question */
    public ServedShards(String name, Path kubeconfig, Optional<WhatIfPorts> whatIf, Duration kept) {
        this(name, kubeconfig, whatIf, kept, () -> {}, Machine.SYSTEM);
    }

    /** @param answering the machine of what answers */
    ServedShards(
            String name,
            Path kubeconfig,
            Optional<WhatIfPorts> whatIf,
            Duration kept,
            Runnable collection,
            Machine answering) {
        LiveOptions options = LiveOptions.usual(name);
        List<Answering> companions = Answering.of(CompanionProvider.all(new CompanionProvider.Setup(
                CONFIGURATION, options.plugins(), "1.0", true, true, Optional.empty(), whatIf)));
        LiveMetrics metrics = new LiveMetrics("evenkeel", "1.0", CONFIGURATION.featureGates(), ShownMetrics.ALL);
        transport = HttpTransport.open(ConnectionOptions.of(Optional.of(kubeconfig)), "test", ApiObserver.NONE);
        shards = new LiveShards(
                CONFIGURATION,
                transport,
                options,
                "1.0",
                ShownMetrics.ALL,
                List::of,
                Duration.ofMinutes(1),
                Machine.SYSTEM);
        whole = new WholeCluster(
                CONFIGURATION, transport, options, companions, shards::parted, kept, collection, answering);
        routes = new LiveRoutes(shards, metrics, CONFIGURATION, Map.of(), transport, "1.0", companions);
        ServingOptions flags = new ServingOptions();
        new CommandLine(flags).parseArgs("--secure-port=0", "--insecure-port=" + Ports.unused());
        serving = flags.start(routes.routes(), Optional.of(transport), Optional.of(transport), shards.supervisor());
        shards.begin();
        companions.forEach(companion -> companion.serve(serving.guard()));
    }

    public URI address() {
        return URI.create("http://127.0.0.1:" + serving.addresses().getLast().getPort());
    }

    /** The shards that it holds, and the overseer. */
    public int held() {
        return shards.engines().size();
    }

    /** Ends as if killed: its Leases run out by themselves. */
    void die() {
        serving.close();
        routes.close();
        shards.close();
        whole.close();
        transport.close();
    }

    @Override
    public void close() {
        die();
    }
}
