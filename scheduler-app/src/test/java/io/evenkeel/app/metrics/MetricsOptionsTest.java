package io.evenkeel.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.Headers;
import io.evenkeel.app.http.Request;
import io.evenkeel.app.metrics.Family.Families;
import io.evenkeel.app.metrics.Histogram.Bounds;
import io.evenkeel.app.metrics.MetricsOptions.ShownMetrics;
import io.evenkeel.problem.ConfigurationException;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

class MetricsOptionsTest {
    @TempDir
    private Path directory;

    private final Families families = new Families();
    private final Family<Count> visits = families.counter("visits", "x", "who", "where");
    private final Family<Histogram> waits = families.histogram("waits_seconds", "x", Bounds.seconds(1, 2), "who");

    @Test
    void howManyAreLeftOutIsCounted() {
        assertThat(new ShownMetrics(Set.of("a", "b_total"), Map.of()).read().map(CounterSnapshot.class::cast))
                .singleElement()
                .satisfies(metric -> {
                    assertThat(metric.getMetadata().getPrometheusName()).isEqualTo("disabled_metrics");
                    assertThat(metric.getDataPoints().getFirst().getValue()).isEqualTo(2);
                });
    }

    @Test
    void metricsThatAreDisabledAreNotShown() {
        visits.with("ann", "here").add(1);
        waits.with("ann").record(1);

        assertThat(shown()).anyMatch(line -> line.startsWith("visits_total{")).anyMatch(MetricsOptionsTest::isOfJvm);
        assertThat(shown("--disabled-metrics=visits_total,jvm_threads_live_threads"))
                .noneMatch(line -> line.contains("visits"))
                .noneMatch(MetricsOptionsTest::isOfJvm)
                .anyMatch(line -> line.startsWith("waits_seconds_count{"));
        assertThat(shown("--disabled-metrics=a", "--disabled-metrics=waits_seconds"))
                .noneMatch(line -> line.contains("waits_seconds"));
    }

    @Test
    void valuesThatALabelMayNotHaveAreShownAsOne() {
        visits.with("ann", "here").add(1);
        visits.with("ben", "here").add(2);
        visits.with("cyd", "here").add(4);
        visits.with("cyd", "there").add(8);
        waits.with("ann").record(1_500_000_000L);
        waits.with("ben").record(1_500_000_000L);
        waits.with("cyd").record(500_000_000L);

        assertThat(shown("--allow-metric-labels=visits_total,who=ann,eve", "--allow-metric-labels=waits_seconds,who="))
                .contains(
                        "visits_total{where=\"here\",who=\"ann\"} 1.0",
                        "visits_total{where=\"here\",who=\"unexpected\"} 6.0",
                        "visits_total{where=\"there\",who=\"unexpected\"} 8.0",
                        "waits_seconds_bucket{who=\"unexpected\",le=\"1.0\"} 1",
                        "waits_seconds_bucket{who=\"unexpected\",le=\"2.0\"} 3",
                        "waits_seconds_count{who=\"unexpected\"} 3")
                .noneMatch(line -> line.contains("cyd"));
    }

    @Test
    void theManifestSaysTheSameAndTheFlagGoesFirst() throws IOException {
        visits.with("ann", "here").add(1);
        Path manifest = Files.writeString(directory.resolve("labels.yaml"), """
                allowListMapping:
                  "visits_total,who": "ben"
                  "visits_total,where": "there"
                """);

        assertThat(shown("--allow-metric-labels-manifest=" + manifest))
                .contains("visits_total{where=\"unexpected\",who=\"unexpected\"} 1.0");
        assertThat(shown("--allow-metric-labels-manifest=" + manifest, "--allow-metric-labels=visits_total,who=ann"))
                .contains("visits_total{where=\"unexpected\",who=\"ann\"} 1.0");
    }

    @Test
    void aManifestThatMakesNoSenseIsNamedByPlace() throws IOException {
        Path manifest =
                Files.writeString(directory.resolve("labels.yaml"), "allowListMapping:\n  visits: a\nother: 1\n");
        Path absent = directory.resolve("absent.yaml");

        assertThatThrownBy(() ->
                        parse("--allow-metric-labels-manifest=" + manifest).shown())
                .isInstanceOf(ConfigurationException.class)
                .hasMessage(manifest + ":2:11: allowListMapping.visits: expected METRIC,LABEL, got \"visits\"\n"
                        + manifest + ":3:1: other: unknown field");
        assertThatThrownBy(
                        () -> parse("--allow-metric-labels-manifest=" + absent).shown())
                .hasMessage(absent + " does not exist");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--allow-metric-labels=a|expected METRIC,LABEL=VALUE,..., got \"a\"",
                "--allow-metric-labels=a=b|expected METRIC,LABEL, got \"a\"",
                "--disabled-metrics=a,,b|expected names with commas between, none of them empty, got \"a,,b\"",
            })
    void whatMakesNoSenseIsRefused(String flag, String message) {
        assertThatThrownBy(() -> parse(flag))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining(message);
    }

    private static boolean isOfJvm(String line) {
        return line.startsWith("jvm_threads_live_threads ");
    }

    private List<String> shown(String... flags) {
        Instruments own = families;
        try (var endpoint = MetricsEndpoint.withJvm(List.of(own), parse(flags).shown())) {
            return new String(
                            endpoint.answer(new Request("GET", "/metrics", Map.of(), new Headers()))
                                    .body(),
                            StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
    }

    private record Command(@CommandLine.Mixin MetricsOptions options) {}

    private static MetricsOptions parse(String... flags) {
        MetricsOptions options = new MetricsOptions();
        new CommandLine(new Command(options)).parseArgs(flags);
        return options;
    }
}
