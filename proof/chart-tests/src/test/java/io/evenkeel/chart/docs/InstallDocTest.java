package io.evenkeel.chart.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.evenkeel.chart.helm.Chart;
import io.evenkeel.chart.helm.Manifest;
import io.evenkeel.chart.helm.Manifests;
import io.evenkeel.config.Profile;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.model.json.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The values that docs/install.md sets, all in one file as it says, mean what it says. */
class InstallDocTest {
    private static final Pattern YAML = Pattern.compile("(?s)```yaml\n(.*?)```");
    private static final Pattern SET = Pattern.compile("--set (\\S+)");

    private final Manifests rendered = Chart.render(values());

    @Test
    void theImageIsOnesOwn() {
        JsonObject container = rendered.container();
        assertThat(Trees.text(container, "image")).isEqualTo("registry.example/evenkeel:0.1.0");
    }

    @Test
    void thereAreTwoProfiles() {
        assertThat(profiles()).containsExactly("evenkeel", "evenkeel-packed");
    }

    @Test
    void everythingIsMonitored() {
        assertThat(rendered.all()).extracting(Manifest::kind).contains("ServiceMonitor", "PrometheusRule");
        assertThat(rendered.find("ConfigMap", "evenkeel-dashboard")).isPresent();
        assertThat(rendered.find("ClusterRoleBinding", "kube-system.evenkeel-metrics-readers"))
                .hasValueSatisfying(binding -> assertThat(binding.objects("subjects"))
                        .singleElement()
                        .satisfies(subject ->
                                assertThat(Trees.text(subject, "name")).isEqualTo("prometheus-k8s")));
    }

    /** With these values the release takes rights from examples/rbac.yaml, which InstallTest tries. */
    @Test
    void theChartMakesNoneOfTheRightsThatTheExampleGives() {
        String set = SET.matcher(text())
                .results()
                .map(found -> found.group(1))
                .filter(values -> values.contains("rbac.create"))
                .findFirst()
                .orElseThrow();
        assertThat(set.split(","))
                .containsExactlyInAnyOrder(
                        "rbac.create=false", "serviceAccount.create=false", "serviceAccount.name=evenkeel");
    }

    @Test
    void nobodyIsForgottenWhoNamesOneOfTheProfiles() {
        assertThat(text()).contains("grep -E '^(" + String.join("|", profiles()) + ") '");
    }

    private List<String> profiles() {
        return new ConfigurationReader()
                .read("config.yaml", rendered.configuration()).profiles().stream()
                        .map(Profile::schedulerName)
                        .toList();
    }

    private static String values() {
        return YAML.matcher(text()).results().map(block -> block.group(1)).collect(Collectors.joining());
    }

    private static String text() {
        try {
            return Files.readString(Path.of("../..", "docs", "install.md"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
