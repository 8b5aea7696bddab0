package io.evenkeel.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.metrics.LiveMetrics.BuildMetrics;
import io.evenkeel.config.CompatibilityLevel;
import io.prometheus.metrics.model.snapshots.Labels;
import org.junit.jupiter.api.Test;

class BuildMetricsTest {
    @Test
    void theBuildHasTheLabelsThatKubernetesComponentsHave() {
        Labels labels = labels("kubernetes_build_info", "0.1.0");

        assertThat(labels.stream().map(label -> label.getName()))
                .containsExactlyInAnyOrder(
                        "build_date",
                        "compiler",
                        "git_commit",
                        "git_tree_state",
                        "git_version",
                        "go_version",
                        "major",
                        "minor",
                        "platform");
        assertThat(labels.get("major") + "." + labels.get("minor")).isEqualTo("1.36");
    }

    /** KubeVersionMismatch of kubernetes-mixin compares what matches this of all components of a cluster. */
    @Test
    void itsVersionIsTheReleaseOfKubernetesThatItEqualsThenItsOwn() {
        String version = labels("kubernetes_build_info", "0.1.0-SNAPSHOT").get("git_version");

        assertThat(version).isEqualTo("v1.36.0+evenkeel.0.1.0-SNAPSHOT");
        assertThat(version.replaceAll("^(?:(v[0-9]*.[0-9]*).*)$", "$1")).isEqualTo("v1.36");
    }

    @Test
    void aBuildWithoutAVersionNamesNone() {
        assertThat(labels("kubernetes_build_info", "(not built as a jar)").get("git_version"))
                .isEqualTo("v1.36.0+evenkeel");
        assertThat(labels("evenkeel_build_info", "0.1.0").get("version")).isEqualTo("0.1.0");
    }

    @Test
    void platformsAreCalledAsGoCallsThem() {
        assertThat(BuildMetrics.platform("Linux", "amd64")).isEqualTo("linux/amd64");
        assertThat(BuildMetrics.platform("Linux", "aarch64")).isEqualTo("linux/arm64");
        assertThat(BuildMetrics.platform("Mac OS X", "aarch64")).isEqualTo("darwin/arm64");
        assertThat(BuildMetrics.platform("Windows 11", "x86_64")).isEqualTo("windows/amd64");
    }

    @Test
    void theReleaseIsThatOfTheLevel() {
        Labels labels = labels(new BuildMetrics("0.2.0", CompatibilityLevel.V1_37), "kubernetes_build_info");

        assertThat(labels.get("minor")).isEqualTo("37");
        assertThat(labels.get("git_version")).isEqualTo("v1.37.0+evenkeel.0.2.0");
    }

    private static Labels labels(String name, String version) {
        return labels(new BuildMetrics(version, CompatibilityLevel.V1_36), name);
    }

    private static Labels labels(BuildMetrics metrics, String name) {
        return metrics.read()
                .filter(metric -> metric.getMetadata().getName().equals(name))
                .findFirst()
                .orElseThrow()
                .getDataPoints()
                .getFirst()
                .getLabels();
    }
}
