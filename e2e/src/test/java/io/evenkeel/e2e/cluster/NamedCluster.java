package io.evenkeel.e2e.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The cluster that an environment variable names. It is somebody's: scenes leave it as they found it. */
final class NamedCluster implements Cluster {
    private static final String VARIABLE = "EVENKEEL_E2E_KUBECONFIG";

    private final Path kubeconfig = Path.of(System.getenv(VARIABLE));

    static Optional<String> notNamed() {
        String named = System.getenv().getOrDefault(VARIABLE, "");
        if (named.isEmpty()) {
            return Optional.of(VARIABLE + " names no kubeconfig");
        }
        if (!Files.isReadable(Path.of(named))) {
            throw new IllegalStateException(VARIABLE + "=" + named + " cannot be read");
        }
        return Optional.empty();
    }

    @Override
    public Path kubeconfig() {
        return kubeconfig;
    }

    @Override
    public void close() {
        // not ours
    }
}
