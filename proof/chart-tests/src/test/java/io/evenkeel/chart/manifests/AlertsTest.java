package io.evenkeel.chart.manifests;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import com.google.gson.JsonObject;
import io.evenkeel.chart.helm.Chart;
import io.evenkeel.model.json.Trees;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The alerts as Prometheus reads them: when they fire, and when not. Left out where there is no promtool. */
class AlertsTest {
    @TempDir
    private Path folder;

    private enum Rendering {
        WHOLE("{}", "firing.yaml"),
        SHARDS("{count: 2}", "firing-with-shards.yaml");

        private final JsonObject rules;
        private final String when;

        Rendering(String shards, String when) {
            rules = Chart.render("{shards: %s, metrics: {prometheusRule: {enabled: true}}}".formatted(shards))
                    .the("PrometheusRule")
                    .object("spec");
            this.when = when;
        }

        private Stream<JsonObject> alerts() {
            return Trees.objects(rules, "groups").stream().flatMap(group -> Trees.objects(group, "rules").stream());
        }
    }

    @ParameterizedTest
    @EnumSource
    void prometheusTakesThem(Rendering rendering) throws Exception {
        Files.writeString(folder.resolve("rules.json"), rendering.rules.toString());
        assertThat(promtool("check", "rules", "rules.json")).contains("SUCCESS");
    }

    @ParameterizedTest
    @EnumSource
    void theyFireWhenTheyShould(Rendering rendering) throws Exception {
        // a test has to repeat the annotations of what fires, which say nothing of when
        JsonObject rules = rendering.rules.deepCopy();
        Trees.objects(rules, "groups").stream()
                .flatMap(group -> Trees.objects(group, "rules").stream())
                .forEach(rule -> rule.remove("annotations"));
        Files.writeString(folder.resolve("rules.json"), rules.toString());
        try (InputStream when = Objects.requireNonNull(getClass().getResourceAsStream("/alerts/" + rendering.when))) {
            Files.copy(when, folder.resolve(rendering.when));
        }
        assertThat(promtool("test", "rules", rendering.when))
                .contains("SUCCESS")
                .doesNotContain("FAILED");
    }

    @Test
    void eachIsTried() throws IOException {
        StringBuilder tried = new StringBuilder();
        for (Rendering rendering : Rendering.values()) {
            tried.append(Files.readString(Path.of("src", "test", "resources", "alerts", rendering.when)));
        }
        assertThat(Rendering.SHARDS.alerts())
                .extracting(rule -> rule.get("alert").getAsString())
                .isNotEmpty()
                .allSatisfy(alert -> assertThat(tried).contains("alertname: " + alert));
    }

    /** What it says. */
    private String promtool(String... arguments) throws IOException, InterruptedException {
        String program = Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .map(directory -> Path.of(directory, "promtool"))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst()
                .orElseGet(() -> abort("there is no promtool"));
        List<String> command =
                Stream.concat(Stream.of(program), Stream.of(arguments)).toList();
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(600, SECONDS)).isTrue();
        return said;
    }
}
