package io.evenkeel.app.metrics;

import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.Locale;
import java.util.stream.Stream;

/** Version and build, as labels of gauges that are 1. */
record BuildMetrics(String version) implements Instruments {
    @Override
    public Stream<MetricSnapshot> read() {
        Runtime.Version java = Runtime.version();
        return Stream.of(
                new Gauge("evenkeel_build_info", "Build information, always 1.", "version", "java_version")
                        .set(1, version, java.toString())
                        .snapshot(),
                new Gauge(
                                "kubernetes_build_info",
                                "A metric with a constant '1' value labeled by major, minor, git version, git commit,"
                                        + " git tree state, build date, Go version, and compiler from which Kubernetes"
                                        + " was built, and platform on which it is running.",
                                "major",
                                "minor",
                                "git_version",
                                "git_commit",
                                "git_tree_state",
                                "build_date",
                                "go_version",
                                "compiler",
                                "platform")
                        .set(
                                1,
                                KubernetesVersion.MAJOR,
                                KubernetesVersion.MINOR,
                                KubernetesVersion.of(version),
                                "",
                                "",
                                "",
                                "java" + java.feature() + "." + java.interim() + "." + java.update(),
                                "javac",
                                platform(System.getProperty("os.name"), System.getProperty("os.arch")))
                        .snapshot());
    }

    /** System and architecture by Go's names. */
    static String platform(String system, String architecture) {
        String machine = switch (architecture) {
            case "x86_64" -> "amd64";
            case "aarch64" -> "arm64";
            default -> architecture;
        };
        String name = system.toLowerCase(Locale.ROOT);
        return (name.startsWith("mac") ? "darwin" : name.split(" ", 2)[0]) + "/" + machine;
    }
}
