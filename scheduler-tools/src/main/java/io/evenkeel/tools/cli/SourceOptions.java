package io.evenkeel.tools.cli;

import io.evenkeel.app.option.Name;
import io.evenkeel.app.terminal.ClusterListing;
import io.evenkeel.app.terminal.Version;
import io.evenkeel.kube.client.ApiObserver;
import io.evenkeel.kube.client.HttpTransport;
import io.evenkeel.kube.client.access.ConnectionOptions;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.tools.dump.DumpReader;
import io.evenkeel.tools.dump.DumpReader.Dump;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options that say where the cluster is read from. */
final class SourceOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"--from", "--kubeconfig"},
            paramLabel = "KUBECONFIG",
            description = "Kubeconfig of the cluster, which is listed once (default: $$KUBECONFIG, the pod's service"
                    + " account, ~/.kube/config)")
    private Optional<Path> kubeconfig = Optional.empty();

    @Option(
            names = "--context",
            paramLabel = "NAME",
            converter = Name.class,
            description = "Context of the kubeconfig to use")
    private Optional<String> context = Optional.empty();

    @Option(
            names = "--dump",
            paramLabel = "FILE",
            description = "A dump, or what kubectl get -o json prints, in place of a cluster; .gz too")
    private Optional<Path> dump = Optional.empty();

    @Option(names = "--empty", description = "No cluster: manifests bring the nodes too")
    private boolean empty;

    /** All objects of these kinds. */
    List<KubernetesObject> objects(Kinds kinds, Consumer<String> warnings) throws InterruptedException {
        int sources =
                (kubeconfig.isPresent() || context.isPresent() ? 1 : 0) + (dump.isPresent() ? 1 : 0) + (empty ? 1 : 0);
        if (sources > 1) {
            throw new ParameterException(spec.commandLine(), "--from, --dump, --empty: one of these");
        }
        if (empty) {
            return List.of();
        }
        if (dump.isPresent()) {
            Dump read = DumpReader.read(dump.get(), kinds);
            read.header()
                    .ifPresent(header -> header.leftOut()
                            .forEach((kind, why) -> warnings.accept("the dump has no objects of kind " + kind
                                    + ", and the answer is as if there were none: " + why)));
            return read.objects();
        }
        ConnectionOptions options = ConnectionOptions.of(kubeconfig);
        return listed(context.map(options::withContext).orElse(options), kinds, warnings);
    }

    private static List<KubernetesObject> listed(ConnectionOptions connection, Kinds kinds, Consumer<String> warnings)
            throws InterruptedException {
        try (HttpTransport transport = HttpTransport.open(connection, new Version().number(), ApiObserver.NONE)) {
            return ClusterListing.of(kinds.all(), transport, warnings).objects();
        }
    }
}
