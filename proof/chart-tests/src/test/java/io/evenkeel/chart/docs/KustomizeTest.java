package io.evenkeel.chart.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.chart.helm.Chart;
import io.evenkeel.chart.helm.Manifest;
import io.evenkeel.chart.helm.Target;
import io.evenkeel.chart.helm.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * charts/kustomize: the usual release for those without Helm, as the chart makes it, less what only Helm is told. With
 * {@code -Devenkeel.chart.docs=write} it writes install.yaml anew.
 */
class KustomizeTest {
    private static final Path INSTALL = Path.of("../..", "charts", "kustomize", "install.yaml");
    private static final String HEAD = """
        # Evenkeel beside kube-scheduler, for the pods that say schedulerName: evenkeel. Made of the Helm chart's own values
        # by KustomizeTest: change the chart, or lay patches over this (docs/install.md).
        """;
    private static final Pattern HELM =
            Pattern.compile("(?m)^(# Source: .*| *helm\\.sh/chart: .*| *app\\.kubernetes\\.io/managed-by: .*| +)\n");

    @Test
    void installIsWhatTheChartMakesOfItsOwnValues() throws IOException {
        if (System.getProperty("evenkeel.chart.docs", "").equals("write")) {
            Files.writeString(INSTALL, generated());
        }
        assertThat(Files.readString(INSTALL))
                .as("charts/kustomize/install.yaml; write it anew with -Devenkeel.chart.docs=write")
                .isEqualTo(generated());
    }

    /** One file is for all of them. */
    @ParameterizedTest
    @ValueSource(strings = {"v1.30.0", "v1.36.0"})
    void theChartMakesTheSameForEachServer(String server) {
        assertThat(Chart.render(Target.USUAL.on(server), "").all())
                .isEqualTo(Chart.render("").all());
    }

    @Test
    void nothingIsLeftThatOnlyHelmIsTold() {
        assertThat(generated()).doesNotContainIgnoringCase("managed-by").doesNotContain("helm.sh");
        assertThat(Yaml.documents(generated()))
                .map(Manifest::new)
                .allSatisfy(manifest -> assertThat(manifest.labels())
                        .containsEntry("app.kubernetes.io/name", "evenkeel")
                        .containsKey("app.kubernetes.io/version"));
    }

    private static String generated() {
        return Yaml.texts(Chart.text(""))
                .map(manifest -> HELM.matcher(manifest).replaceAll("").strip())
                .filter(manifest -> !manifest.isEmpty())
                .collect(Collectors.joining("\n---\n", HEAD, "\n"));
    }
}
