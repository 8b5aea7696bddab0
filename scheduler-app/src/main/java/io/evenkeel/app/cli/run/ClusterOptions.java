package io.evenkeel.app.cli.run;

import io.evenkeel.app.option.Rate;
import io.evenkeel.app.option.ServerOptions;
import io.evenkeel.app.option.WholeNumber;
import io.evenkeel.config.ClientConnection;
import io.evenkeel.kube.client.access.ConnectionOptions;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Flags of the connection to the cluster, by the reference's names where it has them. */
@Command(optionListHeading = "Cluster")
final class ClusterOptions {
    @Mixin
    private ServerOptions server = new ServerOptions();

    @Option(
            names = "--kube-api-qps",
            paramLabel = "N",
            converter = Rate.class,
            description = "Requests a second, overrides the configuration's; negative for no limit (default: 50)")
    private Optional<Float> qps = Optional.empty();

    @Option(
            names = "--kube-api-burst",
            paramLabel = "N",
            converter = WholeNumber.Burst.class,
            description = "Requests at once, overrides the configuration's (default: 100)")
    private Optional<Integer> burst = Optional.empty();

    /** The configured client connection, with the flags over it. */
    ClientConnection over(ClientConnection configured) {
        return new ClientConnection(
                configured.kubeconfig(),
                configured.acceptContentTypes(),
                configured.contentType(),
                qps.filter(rate -> rate != 0).orElse(configured.qps()),
                burst.filter(number -> number != 0).orElse(configured.burst()));
    }

    /** The configured kubeconfig, with the flags over it. */
    ConnectionOptions connection(ClientConnection configured) {
        return server.over(configured.kubeconfig());
    }
}
