package io.evenkeel.tools.dump;

import io.evenkeel.app.cli.ClusterListing;
import io.evenkeel.app.cli.Version;
import io.evenkeel.app.option.Converters.Name;
import io.evenkeel.kube.client.ApiObserver;
import io.evenkeel.kube.client.ConnectionOptions;
import io.evenkeel.kube.client.HttpTransport;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.kind.Kinds;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Option;

/** Options that say where a cluster is read from. */
public final class SourceOptions {
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

    /** How many sources are named, of which there can be one. */
    public int named() {
        return (kubeconfig.isPresent() || context.isPresent() ? 1 : 0) + (dump.isPresent() ? 1 : 0);
    }

    /** Looks into nothing yet but the kubeconfig. */
    public Source open() {
        if (dump.isPresent()) {
            return new Source(Optional.empty(), dump);
        }
        ConnectionOptions options = ConnectionOptions.of(kubeconfig);
        return new Source(
                Optional.of(HttpTransport.open(
                        context.map(options::withContext).orElse(options), new Version().number(), ApiObserver.NONE)),
                Optional.empty());
    }

    /** A cluster, a dump, or nothing. */
    public record Source(Optional<HttpTransport> cluster, Optional<Path> dump) implements AutoCloseable {
        public static final Source EMPTY = new Source(Optional.empty(), Optional.empty());

        public String namespace() {
            return cluster.map(HttpTransport::namespace).orElse("default");
        }

        public List<KubernetesObject> objects(Kinds kinds, Consumer<String> warnings) throws InterruptedException {
            if (cluster.isPresent()) {
                return ClusterListing.of(kinds.all(), cluster.get(), warnings).objects();
            }
            if (dump.isEmpty()) {
                return List.of();
            }
            Dump read = Dump.read(dump.get(), kinds);
            read.header()
                    .ifPresent(header -> header.leftOut()
                            .forEach((kind, why) -> warnings.accept("the dump has no objects of kind " + kind
                                    + ", and the answer is as if there were none: " + why)));
            return read.objects();
        }

        @Override
        public void close() {
            cluster.ifPresent(HttpTransport::close);
        }
    }
}
