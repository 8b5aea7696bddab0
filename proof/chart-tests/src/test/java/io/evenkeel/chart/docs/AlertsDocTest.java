package io.evenkeel.chart.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.evenkeel.chart.helm.Chart;
import io.evenkeel.model.json.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Each alert leads to its section in docs/alerts.md, and there is none for an alert that there is not. */
class AlertsDocTest {
    private static final Path FILE = Path.of("../..", "docs", "alerts.md");
    private static final Pattern SECTION = Pattern.compile("(?m)^## (\\w+)$");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (Evenkeel\\w+) \\|");

    @Test
    void eachAlertHasItsSection() throws IOException {
        assertThat(matches(SECTION, Files.readString(FILE))).containsExactlyElementsOf(alerts());
    }

    @Test
    void eachAlertIsInTheReadme() {
        assertThat(matches(ROW, Readme.committed())).containsExactlyElementsOf(alerts());
    }

    @Test
    void eachAlertLeadsToItsSection() {
        for (JsonObject rule : rules("")) {
            assertThat(Trees.text(rule, "annotations", "runbook_url"))
                    .endsWith("/docs/alerts.md#" + Trees.text(rule, "alert").toLowerCase(Locale.ROOT));
        }
    }

    @Test
    void whereTheyAreReadIsAValue() {
        assertThat(rules("runbookUrl: https://wiki.example/alerts"))
                .allSatisfy(rule -> assertThat(Trees.text(rule, "annotations", "runbook_url"))
                        .startsWith("https://wiki.example/alerts#evenkeel"));
        assertThat(rules("runbookUrl: ''"))
                .allSatisfy(rule -> assertThat(
                                Trees.object(rule, "annotations").orElseThrow().keySet())
                        .containsExactlyInAnyOrder("summary", "description"));
    }

    private static List<String> alerts() {
        return rules("").stream().map(rule -> Trees.text(rule, "alert")).toList();
    }

    private static List<JsonObject> rules(String values) {
        return Chart.render(
                        "{shards: {count: 2}, metrics: {serviceMonitor: {enabled: true}, prometheusRule: {enabled: true, %s}}}"
                                .formatted(values))
                .the("PrometheusRule")
                .objects("spec", "groups")
                .stream()
                .flatMap(group -> Trees.objects(group, "rules").stream())
                .toList();
    }

    private static List<String> matches(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
    }
}
