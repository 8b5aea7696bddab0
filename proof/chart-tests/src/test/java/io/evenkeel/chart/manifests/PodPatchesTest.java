package io.evenkeel.chart.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.evenkeel.chart.helm.Chart;
import io.evenkeel.chart.helm.Manifest;
import io.evenkeel.chart.helm.Manifests;
import io.evenkeel.chart.helm.Yaml;
import io.evenkeel.model.Annotations;
import io.evenkeel.model.json.Trees;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The right to patch pods is held to two annotations: the expressions of the chart's ValidatingAdmissionPolicy, evaluated as an API
 * server evaluates them.
 */
class PodPatchesTest {
    private static final String ACCOUNT = "system:serviceaccount:kube-system:evenkeel";

    private static final JsonObject POD = Yaml.document("""
        apiVersion: v1
        kind: Pod
        metadata:
          name: web-1
          namespace: shop
          uid: 6ba7b810-9dad-11d1-80b4-00c04fd430c8
          resourceVersion: '7'
          generation: 1
          creationTimestamp: '2026-01-01T00:00:00Z'
          labels: {app: web, pod-template-hash: abc}
          annotations: {team: shop, note: ''}
          finalizers: [example.com/a]
          ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: u, controller: true}]
          managedFields: [{manager: kubelet, operation: Update}]
        spec:
          nodeName: n1
          serviceAccountName: default
          priority: 7
          tolerations: [{key: a, operator: Exists, effect: NoExecute, tolerationSeconds: 300}]
          activeDeadlineSeconds: 600
          containers:
          - name: web
            image: registry.example/web:1
            resources: {requests: {cpu: 500m}}
            env: [{name: A, value: b}]
        status: {phase: Running}
        """);

    private final Manifests rendered = Chart.render("policies: {enabled: true, podDeletionCost: true}");
    private final Manifest policy = rendered.the("ValidatingAdmissionPolicy");
    private final AdmissionRules rules = new AdmissionRules(policy);

    private boolean takes(Consumer<JsonObject> change) {
        JsonObject now = POD.deepCopy();
        change.accept(now);
        return rules.takes(POD, now, ACCOUNT);
    }

    private static JsonObject annotations(JsonObject pod) {
        return pod.getAsJsonObject("metadata").getAsJsonObject("annotations");
    }

    @ParameterizedTest
    @ValueSource(strings = {Annotations.DELETION_COST, Annotations.OWN_DELETION_COST})
    void ownAnnotationsMayComeAndGo(String own) {
        JsonObject with = POD.deepCopy();
        annotations(with).addProperty(own, "-1");
        JsonObject other = POD.deepCopy();
        annotations(other).addProperty(own, "-2");
        JsonObject without = POD.deepCopy();
        without.getAsJsonObject("metadata").remove("annotations");
        JsonObject alone = without.deepCopy();
        alone.getAsJsonObject("metadata").add("annotations", new JsonObject());
        annotations(alone).addProperty(own, "-1");

        assertThat(rules.takes(POD, with, ACCOUNT)).isTrue();
        assertThat(rules.takes(with, other, ACCOUNT)).isTrue();
        assertThat(rules.takes(with, POD, ACCOUNT)).isTrue();
        assertThat(rules.takes(without, alone, ACCOUNT)).isTrue();
        assertThat(rules.takes(alone, without, ACCOUNT)).isTrue();
    }

    @Test
    void whatTheServerChangesItselfIsNoChangeOfOurs() {
        assertThat(takes(pod -> {
                    JsonObject metadata = pod.getAsJsonObject("metadata");
                    metadata.add("managedFields", new JsonArray());
                    metadata.addProperty("generation", 2);
                    metadata.addProperty("resourceVersion", "8");
                    annotations(pod).addProperty(Annotations.DELETION_COST, "1");
                }))
                .isTrue();
    }

    /** Each value there is changed, taken away, and given a neighbour. */
    @Test
    void nothingElseMayBeChanged() {
        rules.assertTakesNoChange(POD, ACCOUNT, Set.of("managedFields", "resourceVersion", "generation"));
    }

    @Test
    void anEmptySectionIsAChangeToo() {
        assertThat(takes(pod -> pod.getAsJsonObject("metadata").remove("annotations")))
                .isFalse();
        assertThat(takes(pod -> pod.getAsJsonObject("metadata").remove("labels")))
                .isFalse();
        assertThat(takes(pod -> annotations(pod).addProperty("controller.kubernetes.io/pod-deletion-cost2", "1")))
                .isFalse();
        assertThat(takes(pod -> {
                    annotations(pod).addProperty(Annotations.DELETION_COST, "1");
                    pod.getAsJsonObject("metadata").getAsJsonObject("labels").addProperty("app", "other");
                }))
                .isFalse();
    }

    @Test
    void othersAreNotConcerned() {
        JsonObject now = POD.deepCopy();
        now.getAsJsonObject("metadata").getAsJsonObject("labels").addProperty("app", "other");

        assertThat(rules.takes(POD, now, "system:serviceaccount:kube-system:default"))
                .isTrue();
        assertThat(rules.takes(POD, now, ACCOUNT)).isFalse();
    }

    /** The binding of the policy denies, and the policy is about pods alone: their status and binding are other resources. */
    @Test
    void itIsInForceForPodsThemselves() {
        Manifest binding = rendered.the("ValidatingAdmissionPolicyBinding");
        assertThat(binding.text("spec", "policyName")).isEqualTo(policy.name());
        assertThat(Trees.texts(binding.object("spec"), "validationActions")).containsExactly("Deny");
        assertThat(policy.text("spec", "failurePolicy")).isEqualTo("Fail");
        assertThat(policy.objects("spec", "matchConstraints", "resourceRules"))
                .singleElement()
                .satisfies(rule -> {
                    assertThat(Trees.texts(rule, "resources")).containsExactly("pods");
                    assertThat(Trees.texts(rule, "operations")).containsExactly("UPDATE");
                });
    }

    /** Wherever the right is there the policy is, for the account that has it. */
    @Test
    void itComesWithTheRight() {
        assertThat(Chart.render("policies: {enabled: true}").ofKind("ValidatingAdmissionPolicy"))
                .isEmpty();
        Manifest other = Chart.render(
                        "{serviceAccount: {name: robot}, policies: {enabled: true, podDeletionCost: true}}")
                .the("ValidatingAdmissionPolicy");
        assertThat(other.objects("spec", "matchConditions"))
                .singleElement()
                .satisfies(condition -> assertThat(Trees.text(condition, "expression"))
                        .isEqualTo("request.userInfo.username == \"system:serviceaccount:kube-system:robot\""));
    }
}
