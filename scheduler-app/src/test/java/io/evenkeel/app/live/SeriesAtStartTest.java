package io.evenkeel.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Headers;
import io.evenkeel.app.http.Request;
import io.evenkeel.app.metrics.LiveMetrics;
import io.evenkeel.app.metrics.MetricsEndpoint;
import io.evenkeel.app.metrics.MetricsOptions.ShownMetrics;
import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.ScriptedTransport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A counter that comes and is 1 makes no rate, so what the reference shows from the start has to be there from the start. */
class SeriesAtStartTest {
    /** Series that begin so are not here, and why. */
    private static final Map<String, String> ABSENT = Map.of("hidden_metrics_total", "no metric is hidden");

    @Test
    @EnabledOnOs(OS.LINUX)
    void seriesOfTheReferenceAreThereBeforeAnythingHasHappened() throws IOException {
        Set<String> expected = atStart();
        expected.removeIf(series -> ABSENT.keySet().stream().anyMatch(series::startsWith));
        assertThat(expected).hasSizeGreaterThan(40);

        assertThat(seriesOf(scrape())).containsAll(expected);
    }

    @Test
    void whatIsSaidToBeAbsentIs() {
        Set<String> served = seriesOf(scrape());
        ABSENT.keySet().forEach(name -> assertThat(served).noneMatch(series -> series.startsWith(name)));
    }

    private static Set<String> atStart() throws IOException {
        Path list = Path.of("../proof/reference", CompatibilityLevel.FIRST.toString(), "metrics-at-start.txt");
        return Files.readAllLines(list).stream()
                .filter(line -> !line.startsWith("#"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** With their labels, less those of a build, which are another's. */
    private static Set<String> seriesOf(String scrape) {
        return scrape.lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.substring(0, line.lastIndexOf(' ')))
                .map(series -> Pattern.compile("^(kubernetes_build_info)\\{.*")
                        .matcher(series)
                        .replaceFirst("$1"))
                .collect(Collectors.toSet());
    }

    private static String scrape() {
        LiveMetrics metrics = new LiveMetrics("kube-scheduler", "1.0", FeatureGates.DEFAULTS, ShownMetrics.ALL);
        try (DrivenScheduler scheduler = new DrivenScheduler(
                        new ScriptedTransport(_ -> Answers.of(500, "")), LiveObservers.of(metrics, List.of()), false);
                MetricsEndpoint endpoint = metrics.of(scheduler.live(), List.of(), false)) {
            return new String(
                    endpoint.answer(new Request("GET", "/metrics", Map.of(), new Headers()))
                            .body(),
                    StandardCharsets.UTF_8);
        }
    }
}
