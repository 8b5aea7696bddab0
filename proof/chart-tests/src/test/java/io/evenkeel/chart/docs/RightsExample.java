package io.evenkeel.chart.docs;

import io.evenkeel.chart.helm.Chart;
import io.evenkeel.chart.helm.Manifest;
import io.evenkeel.chart.helm.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * docs/examples/rbac.yaml: the chart's ServiceAccount, roles and bindings, comments and all, as whoever has no Helm applies
 * them. What only Helm is told goes: which template a manifest comes from, and whose release it is.
 */
final class RightsExample {
    private static final Path FILE = Path.of("../..", "docs", "examples", "rbac.yaml");
    private static final String HEAD = """
        # What Evenkeel may do: exactly the calls that it makes. The subject is the service account that its pods run as. For the
        # Helm chart with rbac: {create: false}, serviceAccount: {create: false, name: evenkeel}. Made of the chart by
        # RightsExampleTest.
        """;
    private static final Pattern TEMPLATE = Pattern.compile("(?m)^# Source: .*\n");
    private static final Pattern LABELS = Pattern.compile("(?m)^  labels:\n(?: {4}.*\n)+");

    private RightsExample() {}

    static String committed() throws IOException {
        return Files.readString(FILE);
    }

    /** The example as it should be. */
    static String generated() {
        return of(Chart.text("policies: {enabled: true}"));
    }

    /** The rights among rendered manifests. */
    static String of(String rendered) {
        return Yaml.texts(rendered)
                .filter(RightsExample::isAboutRights)
                .map(manifest -> TEMPLATE.matcher(manifest).replaceAll(""))
                .map(manifest -> LABELS.matcher(manifest).replaceAll("").strip() + "\n")
                .collect(Collectors.joining("---\n", HEAD, ""));
    }

    private static boolean isAboutRights(String text) {
        return Yaml.documents(text).stream()
                .map(Manifest::new)
                .anyMatch(manifest -> manifest.kind().equals("ServiceAccount")
                        || manifest.apiVersion().startsWith("rbac.authorization.k8s.io/"));
    }

    static void write() throws IOException {
        Files.writeString(FILE, generated());
    }
}
