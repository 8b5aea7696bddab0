package io.evenkeel.app.option;

import io.evenkeel.app.option.Converters.Name;
import io.evenkeel.kube.client.ConnectionOptions;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

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

    /** Tells kubectl of the same cluster: the options that were given, not quoted. */
    public List<String> forKubectl() {
        return Stream.of(
                        kubeconfig.map(file -> "--kubeconfig=" + file),
                        context.map(name -> "--context=" + name),
                        master.map(address -> "--server=" + address))
                .flatMap(Optional::stream)
                .toList();
    }

    /** The address of an API server: a URL, or one without its https://. */
    private static final class ServerAddress implements ITypeConverter<String> {
        private static final Set<String> SCHEMES = Set.of("http", "https");
        private static final int LAST_PORT = 65_535;

        @Override
        public String convert(String value) {
            if (value.isEmpty()) {
                throw new TypeConversionException("must not be empty");
            }
            try {
                URI address = new URI(value.contains("://") ? value : "https://" + value);
                if (SCHEMES.contains(address.getScheme())
                        && address.getHost() != null
                        && address.getPort() <= LAST_PORT) {
                    return value;
                }
            } catch (URISyntaxException noAddress) {
                // Treated as a URL without a host.
            }
            throw new TypeConversionException(
                    "expected the address of a server such as https://10.0.0.1:6443, got \"" + value + "\"");
        }
    }
}
