package io.evenkeel.app.option;

import io.evenkeel.kube.client.access.ConnectionOptions;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options that say which cluster is meant, by the reference's names. */
public final class ServerOptions {
    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description =
                    "Kubeconfig of the cluster (default: as configured, else $$KUBECONFIG, the pod's service account,"
                            + " ~/.kube/config)")
    private Optional<Path> kubeconfig = Optional.empty();

    @Option(
            names = "--context",
            paramLabel = "NAME",
            converter = Name.class,
            description = "Context of the kubeconfig to use")
    private Optional<String> context = Optional.empty();

    @Option(
            names = "--master",
            paramLabel = "URL",
            converter = ServerAddress.class,
            description = "Address of the API server, overrides the kubeconfig's")
    private Optional<String> master = Optional.empty();

    /** The configured kubeconfig, where there is one, with the options over it. */
    public ConnectionOptions over(String configured) {
        ConnectionOptions options = ConnectionOptions.of(
                kubeconfig.or(() -> configured.isEmpty() ? Optional.empty() : Optional.of(Path.of(configured))));
        options = context.map(options::withContext).orElse(options);
        return master.map(options::withMaster).orElse(options);
    }
}
