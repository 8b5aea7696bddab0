package io.evenkeel.chart.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import io.evenkeel.chart.helm.Chart;
import io.evenkeel.chart.helm.Manifests;
import io.evenkeel.hollow.json.Trees;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The rights that docs/security.md lists are those that the chart gives. With {@code -Devenkeel.chart.docs=write} it writes
 * the list anew.
 */
class SecurityDocTest {
    @Test
    void theTableIsWhatTheChartGives() throws IOException {
        if (System.getProperty("evenkeel.chart.docs", "").equals("write")) {
            RightsTable.write();
        }
        assertThat(RightsTable.committed())
                .as("docs/security.md; write its table of rights anew with -Devenkeel.chart.docs=write")
                .isEqualTo(RightsTable.generated());
    }

    @Test
    void aRuleWithoutAReasonIsTold() {
        assertThatThrownBy(() -> RightsTable.rows("""
            # A role.
            kind: ClusterRole
            rules:
            # because
            - apiGroups: [""]
              resources: [nodes]
              verbs: [list]
            - apiGroups: [""]
              resources: [pods]
              verbs: [list]
            """).toList()).hasMessageContaining("a reason above each rule");
    }

    @Test
    void nobodyIsGivenMoreThanIsNamed() {
        assertThat(rules()).isNotEmpty().allSatisfy(rule -> {
            assertThat(rule.keySet()).isSubsetOf("apiGroups", "resources", "resourceNames", "verbs");
            for (String field : List.of("apiGroups", "resources", "verbs")) {
                assertThat(Trees.texts(rule, field)).isNotEmpty().noneMatch(name -> name.contains("*"));
            }
            assertThat(Trees.texts(rule, "resources")).doesNotContain("secrets");
            if (Trees.texts(rule, "resources").contains("configmaps")) {
                assertThat(Trees.texts(rule, "resourceNames")).containsExactly("extension-apiserver-authentication");
                assertThat(Trees.texts(rule, "verbs")).containsExactly("get");
            }
            if (Trees.texts(rule, "verbs").contains("delete")) {
                assertThat(Trees.texts(rule, "resources")).containsExactly("pods");
            }
            if (Trees.texts(rule, "verbs").contains("patch")) {
                assertThat(Trees.texts(rule, "resources"))
                        .isSubsetOf(
                                "pods/status",
                                "podgroups/status",
                                "events",
                                "persistentvolumes",
                                "persistentvolumeclaims");
            }
            assertThat(Trees.texts(rule, "verbs"))
                    .isSubsetOf("get", "list", "watch", "create", "update", "patch", "delete");
        });
    }

    private static Stream<JsonObject> rules() {
        Manifests rendered = Chart.render("");
        return Stream.of("ClusterRole", "Role")
                .flatMap(kind -> rendered.ofKind(kind).stream())
                .flatMap(role -> role.objects("rules").stream());
    }
}
