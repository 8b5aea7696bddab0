package io.evenkeel.chart.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.evenkeel.chart.helm.Chart;
import io.evenkeel.chart.helm.Manifest;
import io.evenkeel.chart.helm.Manifests;
import io.evenkeel.chart.helm.Yaml;
import io.evenkeel.chart.live.Right;
import io.evenkeel.chart.live.Rights;
import io.evenkeel.model.json.Trees;
import io.evenkeel.rotation.Rotated;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The rights that docs/security.md lists are those that the chart gives. With {@code -Devenkeel.chart.docs=write} it writes
 * the list anew.
 */
class SecurityDocTest {
    private static final String EVERY_RIGHT =
            "{policies: {enabled: true, podDeletionCost: true}, rebalance: {enabled: true, evictionRequests: true, surge: true}}";

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
                assertThat(Trees.texts(rule, "resources"))
                        .singleElement()
                        .isIn("pods", "resourceclaims", "evictionrequests");
            }
            if (Trees.texts(rule, "verbs").contains("patch")) {
                assertThat(Trees.texts(rule, "resources"))
                        .isSubsetOf(
                                "pods",
                                "pods/status",
                                "deployments",
                                "placementpolicies/status",
                                "clusterplacementpolicies/status",
                                "podgroups/status",
                                "events",
                                "persistentvolumes",
                                "persistentvolumeclaims",
                                "resourceclaims",
                                "resourceclaims/status",
                                "resourceclaims/binding");
            }
            assertThat(Trees.texts(rule, "verbs"))
                    .isSubsetOf("get", "list", "watch", "create", "update", "patch", "delete");
        });
    }

    /** Each switch of the chart, alone and beside all that give rights: none gives the scheduler a right that the table lacks. */
    @Rotated(3)
    @Test
    void noValueGivesARightThatIsNotInTheTable() {
        Set<Right> listed = rights(EVERY_RIGHT);
        List<String> switches = switches(Yaml.document(Chart.read("values.yaml")), "");
        assertThat(switches)
                .hasSizeGreaterThan(10)
                .contains("policies.podDeletionCost", "rebalance.enabled", "observe");
        int rendered = 0;
        for (String path : switches) {
            for (String beside : List.of("", EVERY_RIGHT)) {
                for (boolean on : List.of(true, false)) {
                    try {
                        assertThat(rights(beside, path + "=" + on))
                                .as("%s=%s beside %s", path, on, beside)
                                .isSubsetOf(listed);
                        rendered++;
                    } catch (IllegalStateException refused) {
                        // then nobody gets anything by it
                    }
                }
            }
        }
        assertThat(rendered).isGreaterThan(3 * switches.size());
    }

    private static Set<Right> rights(String values, String... set) {
        JsonObject tree = values.isEmpty() ? new JsonObject() : Yaml.document(values);
        for (String assignment : set) {
            String[] parts = assignment.split("=", 2);
            JsonObject inner = tree;
            String[] path = parts[0].split("\\.");
            for (String step : Arrays.copyOf(path, path.length - 1)) {
                if (!inner.has(step)) {
                    inner.add(step, new JsonObject());
                }
                inner = inner.getAsJsonObject(step);
            }
            inner.addProperty(path[path.length - 1], Boolean.valueOf(parts[1]));
        }
        Manifests rendered = Chart.render(tree.toString());
        return Rights.of("kube-system", "evenkeel", rendered.all()).all();
    }

    private static List<String> switches(JsonObject values, String above) {
        List<String> found = new ArrayList<>();
        values.asMap().forEach((name, value) -> {
            if (value instanceof JsonObject inner) {
                found.addAll(switches(inner, above + name + "."));
            } else if (value instanceof JsonPrimitive leaf && leaf.isBoolean()) {
                found.add(above + name);
            }
        });
        return found;
    }

    /** RBAC cannot give a part of an object: what can is there with the right, and the words below the table tell of it. */
    @Test
    void whoeverMayPatchPodsAndDeploymentsIsHeldToAPartOfThem() throws IOException {
        assertThat(Chart.render(EVERY_RIGHT).ofKind("ValidatingAdmissionPolicy"))
                .extracting(Manifest::name)
                .containsExactly("kube-system.evenkeel", "kube-system.evenkeel-surge");
        String takenOver = RightsTable.committed().split("## If it is taken over", 2)[1];
        assertThat(takenOver).contains("policies.podDeletionCost", "rebalance.surge", "ValidatingAdmissionPolicy");
    }

    private static Stream<JsonObject> rules() {
        Manifests rendered = Chart.render(EVERY_RIGHT);
        return Stream.of("ClusterRole", "Role")
                .flatMap(kind -> rendered.ofKind(kind).stream())
                .flatMap(role -> role.objects("rules").stream());
    }
}
