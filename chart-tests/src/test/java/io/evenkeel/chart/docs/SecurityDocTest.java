package io.evenkeel.chart.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.evenkeel.chart.helm.Chart;
import io.evenkeel.chart.helm.Manifest;
import io.evenkeel.chart.helm.Manifests;
import io.evenkeel.hollow.json.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rights that docs/security.md lists are those that the chart gives. */
class SecurityDocTest {
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| ([^|]+) \\| ([^|]+) \\| (cluster|kube-system|the Lease's namespace) \\|");

    private static final String OF_THE_LEASE = "leases";

    private final Manifests rendered =
            Chart.render("config: {leaderElection: {resourceNamespace: %s}}".formatted(OF_THE_LEASE));

    @Test
    void theTableIsWhatTheChartGives() throws IOException {
        Matcher row = ROW.matcher(Files.readString(Path.of("..", "docs", "security.md")));
        List<String> documented = row.results()
                .map(found -> found.group(1) + ": " + found.group(2) + " in " + found.group(3))
                .toList();
        assertThat(documented).containsExactlyInAnyOrderElementsOf(given().toList());
    }

    @Test
    void nobodyIsGivenMoreThanIsNamed() {
        assertThat(rules()).allSatisfy(rule -> {
            assertThat(rule.keySet()).isSubsetOf("apiGroups", "resources", "resourceNames", "verbs");
            for (String field : List.of("apiGroups", "resources", "verbs")) {
                assertThat(Trees.texts(rule, field)).isNotEmpty().noneMatch(name -> name.contains("*"));
            }
            assertThat(Trees.texts(rule, "resources")).doesNotContain("secrets");
            if (Trees.texts(rule, "resources").contains("configmaps")) {
                assertThat(Trees.texts(rule, "resourceNames")).containsExactly("extension-apiserver-authentication");
                assertThat(Trees.texts(rule, "verbs")).containsExactly("get");
            }
            assertThat(Trees.texts(rule, "verbs")).isSubsetOf("get", "list", "watch", "create", "update", "patch");
        });
    }

    private Stream<JsonObject> rules() {
        return roles().flatMap(role -> role.objects("rules").stream());
    }

    private Stream<Manifest> roles() {
        return Stream.of("ClusterRole", "Role").flatMap(kind -> {
            List<Manifest> roles = rendered.ofKind(kind);
            assertThat(roles).isNotEmpty();
            return roles.stream();
        });
    }

    private Stream<String> given() {
        return roles().flatMap(role ->
                role.objects("rules").stream().flatMap(rule -> rights(rule, where(role.namespace()))));
    }

    private static String where(String namespace) {
        return switch (namespace) {
            case "" -> "cluster";
            case OF_THE_LEASE -> "the Lease's namespace";
            default -> namespace;
        };
    }

    private static Stream<String> rights(JsonObject rule, String where) {
        String verbs = String.join(", ", Trees.texts(rule, "verbs"));
        Set<String> names = Set.copyOf(Trees.texts(rule, "resourceNames"));
        String name = names.isEmpty() ? "" : " `" + String.join("`, `", names) + "`";
        return Trees.texts(rule, "apiGroups").stream()
                .flatMap(group -> Trees.texts(rule, "resources").stream()
                        .map(resource -> resource + (group.isEmpty() ? "" : "." + group) + name + ": " + verbs + " in "
                                + where));
    }
}
