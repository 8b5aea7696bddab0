package io.evenkeel.e2e.cluster;

import io.evenkeel.config.CompatibilityLevel;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.testcontainers.DockerClientFactory;

/** The three kinds of cluster, and what it takes to have one. {@code EVENKEEL_E2E} names those to use: all by default. */
public enum ClusterKind {
    HOLLOW,
    K3S,
    KUBECONFIG;

    static {
        Logs.quieten();
    }

    private static final String CHOICE = "EVENKEEL_E2E";

    /**
     * Why there is no such cluster here; empty if there is one.
     *
     * @throws IllegalStateException if it is asked for by name and cannot be had: silence would look like success
     */
    public Optional<String> obstacle() {
        List<String> chosen = chosen();
        if (chosen.isEmpty()) {
            return missing();
        }
        if (!chosen.contains(name().toLowerCase(Locale.ROOT))) {
            return Optional.of(CHOICE + " names only " + chosen);
        }
        missing().ifPresent(reason -> {
            throw new IllegalStateException(CHOICE + " names " + chosen + ", but " + reason);
        });
        return Optional.empty();
    }

    private static List<String> chosen() {
        return Arrays.stream(System.getenv().getOrDefault(CHOICE, "").split(",", -1))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .toList();
    }

    private Optional<String> missing() {
        return switch (this) {
            case HOLLOW -> Optional.empty();
            case K3S -> noDocker();
            case KUBECONFIG -> NamedCluster.notNamed();
        };
    }

    /** Whether starting one takes so long that all classes share it. */
    public boolean isShared() {
        return this == K3S;
    }

    /**
     * @param level whose release a cluster of ours says it is; others are of what release they are
     */
    public Cluster open(CompatibilityLevel level) {
        return switch (this) {
            case HOLLOW -> new InProcess(level);
            case K3S -> new K3s();
            case KUBECONFIG -> new NamedCluster();
        };
    }

    private static Optional<String> noDocker() {
        return DockerClientFactory.instance().isDockerAvailable()
                ? Optional.empty()
                : Optional.of("k3s runs in a container, and there is no Docker here");
    }
}
