package io.evenkeel.chart.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.evenkeel.chart.helm.Chart;
import io.evenkeel.chart.helm.Manifest;
import io.evenkeel.chart.helm.Manifests;
import io.evenkeel.chart.helm.Yaml;
import io.evenkeel.model.json.Trees;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The right to patch Deployments, which a surge needs, is held to a replica more or less and to the note that says so. */
class DeploymentPatchesTest {
    private static final String ACCOUNT = "system:serviceaccount:kube-system:evenkeel";
    private static final String SURGE = "rebalance: {enabled: true, surge: true}";
    private static final String NOTE = "evenkeel.io/surge";

    private static final JsonObject DEPLOYMENT = Yaml.document("""
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: web
          namespace: shop
          uid: 6ba7b810-9dad-11d1-80b4-00c04fd430c8
          resourceVersion: '7'
          generation: 3
          creationTimestamp: '2026-01-01T00:00:00Z'
          labels: {app: web}
          annotations: {deployment.kubernetes.io/revision: '1', team: shop}
          managedFields: [{manager: kubectl, operation: Update}]
        spec:
          replicas: 3
          revisionHistoryLimit: 10
          progressDeadlineSeconds: 600
          strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 25%, maxUnavailable: 25%}}
          selector: {matchLabels: {app: web}}
          template:
            metadata: {labels: {app: web}, annotations: {a: b}}
            spec:
              serviceAccountName: default
              containers:
              - name: web
                image: registry.example/web:1
                resources: {requests: {cpu: 500m}}
                env: [{name: A, value: b}]
              tolerations: [{key: a, operator: Exists, effect: NoExecute, tolerationSeconds: 300}]
        status: {replicas: 3}
        """);

    private final Manifests rendered = Chart.render(SURGE);
    private final Manifest policy = rendered.all().stream()
            .filter(each -> each.kind().equals("ValidatingAdmissionPolicy")
                    && each.name().endsWith("-surge"))
            .findFirst()
            .orElseThrow();
    private final AdmissionRules rules = new AdmissionRules(policy);

    private static JsonObject with(Consumer<JsonObject> change) {
        JsonObject now = DEPLOYMENT.deepCopy();
        change.accept(now);
        return now;
    }

    private static JsonObject scaled(int replicas, boolean isNoted) {
        return with(deployment -> {
            deployment.getAsJsonObject("spec").addProperty("replicas", replicas);
            if (isNoted) {
                for (String part : new String[] {"labels", "annotations"}) {
                    deployment
                            .getAsJsonObject("metadata")
                            .getAsJsonObject(part)
                            .addProperty(NOTE, "3 6ba7b810-9dad-11d1-80b4-00c04fd430c8");
                }
            }
        });
    }

    @Test
    void aPodMoreComesAndGoesWithItsNote() {
        assertThat(rules.takes(DEPLOYMENT, scaled(4, true), ACCOUNT)).isTrue();
        assertThat(rules.takes(scaled(4, true), DEPLOYMENT, ACCOUNT)).isTrue();
        assertThat(rules.takes(scaled(7, true), scaled(7, false), ACCOUNT)).isTrue();
    }

    @Test
    void theFirstAnnotationAndLabelMayComeToo() {
        JsonObject bare = with(deployment -> {
            deployment.getAsJsonObject("metadata").remove("labels");
            deployment.getAsJsonObject("metadata").remove("annotations");
        });
        JsonObject noted = bare.deepCopy();
        noted.getAsJsonObject("metadata").add("labels", Trees.of(NOTE, "true"));
        noted.getAsJsonObject("metadata").add("annotations", Trees.of(NOTE, "3 u"));
        noted.getAsJsonObject("spec").addProperty("replicas", 4);

        assertThat(rules.takes(bare, noted, ACCOUNT)).isTrue();
        assertThat(rules.takes(noted, bare, ACCOUNT)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"3, 5", "3, 1", "3, 0", "0, 2"})
    void moreThanOneIsRefused(int before, int now) {
        assertThat(rules.takes(scaled(before, true), scaled(now, true), ACCOUNT))
                .isFalse();
    }

    @Test
    void nothingElseMayBeChanged() {
        rules.assertTakesNoChange(
                DEPLOYMENT, ACCOUNT, Set.of("managedFields", "resourceVersion", "generation", "replicas"));
    }

    @Test
    void othersAreNotConcerned() {
        assertThat(rules.takes(DEPLOYMENT, scaled(9, false), "system:serviceaccount:kube-system:default"))
                .isTrue();
        assertThat(rules.takes(DEPLOYMENT, scaled(9, false), ACCOUNT)).isFalse();
    }

    /** Wherever the rights are there the policies are, that of pods too, and both deny. */
    @Test
    void itComesWithTheRight() {
        assertThat(rendered.ofKind("ValidatingAdmissionPolicy")).hasSize(2);
        assertThat(rendered.ofKind("ValidatingAdmissionPolicyBinding"))
                .extracting(binding -> binding.text("spec", "policyName"))
                .contains(policy.name());
        assertThat(rendered.ofKind("ValidatingAdmissionPolicyBinding"))
                .allSatisfy(binding -> assertThat(Trees.texts(binding.object("spec"), "validationActions"))
                        .containsExactly("Deny"));
        assertThat(policy.text("spec", "failurePolicy")).isEqualTo("Fail");
        assertThat(policy.objects("spec", "matchConstraints", "resourceRules"))
                .singleElement()
                .satisfies(rule -> {
                    assertThat(Trees.texts(rule, "resources")).containsExactly("deployments");
                    assertThat(Trees.texts(rule, "operations")).containsExactly("UPDATE");
                });
        assertThat(Chart.render("rebalance: {enabled: true}").ofKind("ValidatingAdmissionPolicy"))
                .isEmpty();
        assertThat(Chart.render("rebalance: {surge: true}").ofKind("ValidatingAdmissionPolicy"))
                .isEmpty();
    }
}
