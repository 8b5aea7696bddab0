package io.evenkeel.chart.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.evenkeel.chart.helm.Chart;
import io.evenkeel.chart.helm.Manifests;
import io.evenkeel.chart.helm.Yaml;
import io.evenkeel.model.json.Trees;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What monitors read, readers may read. */
class MetricsPathsTest {
    private static final String MONITORED = """
            metrics:
              slis: %s
              resources: %s
              readers: [{name: prometheus, namespace: monitoring}]
              serviceMonitor: {enabled: true, interval: 15s, relabelings: [{action: labeldrop, regex: endpoint}]}
            """;

    @ParameterizedTest
    @CsvSource({
        "false, false, /metrics",
        "true, false, /metrics /metrics/slis",
        "false, true, /metrics /metrics/resources",
        "true, true, /metrics /metrics/slis /metrics/resources"
    })
    void eachPathThatIsWantedIsReadAndMayBe(boolean slis, boolean resources, String paths) {
        Manifests rendered = Chart.render(MONITORED.formatted(slis, resources));

        assertThat(rendered.the("ServiceMonitor").objects("spec", "endpoints"))
                .extracting(endpoint -> Trees.text(endpoint, "path"))
                .containsExactly(paths.split(" "));
        assertThat(rendered.find("ClusterRole", "kube-system.evenkeel-metrics-readers")
                        .orElseThrow()
                        .objects("rules"))
                .containsExactly(Yaml.document("{nonResourceURLs: [" + paths.replace(" ", ", ") + "], verbs: [get]}"));
    }

    /** Targets of one address are told apart by nothing else: both would be the same {@code up}. */
    @Test
    void targetsBesideTheFirstAreLabelledWithTheirPath() {
        List<JsonObject> endpoints = Chart.render(MONITORED.formatted(true, false))
                .the("ServiceMonitor")
                .objects("spec", "endpoints");

        assertThat(Trees.objects(endpoints.getFirst(), "relabelings"))
                .containsExactly(Yaml.document("{action: labeldrop, regex: endpoint}"));
        assertThat(Trees.objects(endpoints.getLast(), "relabelings"))
                .containsExactly(
                        Yaml.document("{sourceLabels: [__metrics_path__], targetLabel: metrics_path}"),
                        Yaml.document("{action: labeldrop, regex: endpoint}"));
        assertThat(endpoints).allSatisfy(endpoint -> {
            assertThat(Trees.text(endpoint, "bearerTokenFile")).isNotEmpty();
            assertThat(Trees.text(endpoint, "interval")).isEqualTo("15s");
        });
    }

    @Test
    void podMonitorsReadThemToo() {
        Manifests rendered = Chart.render("""
                metrics:
                  slis: true
                  podMonitor: {enabled: true, authorization: {credentials: {name: token, key: token}}}
                """);

        assertThat(rendered.the("PodMonitor").objects("spec", "podMetricsEndpoints"))
                .extracting(endpoint -> Trees.text(endpoint, "path"))
                .containsExactly("/metrics", "/metrics/slis");
    }
}
