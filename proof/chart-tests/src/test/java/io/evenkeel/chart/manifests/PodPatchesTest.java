package io.evenkeel.chart.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.cel.bundle.Cel;
import dev.cel.bundle.CelFactory;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.SimpleType;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import io.evenkeel.chart.helm.Chart;
import io.evenkeel.chart.helm.Manifest;
import io.evenkeel.chart.helm.Manifests;
import io.evenkeel.chart.helm.Yaml;
import io.evenkeel.model.Annotations;
import io.evenkeel.model.json.Trees;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
    private final Cel cel = CelFactory.standardCelBuilder()
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .addVar("object", SimpleType.DYN)
            .addVar("oldObject", SimpleType.DYN)
            .addVar("request", SimpleType.DYN)
            .addVar("variables", SimpleType.DYN)
            .build();

    private final Map<String, CelRuntime.Program> programs = new HashMap<>();

    private Object value(String expression, Map<String, Object> inputs) throws CelEvaluationException {
        return programs.computeIfAbsent(expression, this::program).eval(inputs);
    }

    private CelRuntime.Program program(String expression) {
        try {
            return cel.createProgram(cel.compile(expression).getAst());
        } catch (CelValidationException | CelEvaluationException unusable) {
            throw new AssertionError(expression, unusable);
        }
    }

    /** Whether the server takes a pod in the place of another from this user. */
    private boolean takes(JsonObject before, JsonObject now, String user) {
        Map<String, Object> variables = new HashMap<>();
        Map<String, Object> inputs = new HashMap<>();
        inputs.put("object", plain(now));
        inputs.put("oldObject", plain(before));
        inputs.put("request", Map.of("userInfo", Map.of("username", user)));
        inputs.put("variables", variables);
        try {
            if (!areAllTrue("matchConditions", inputs)) {
                return true;
            }
            for (JsonObject variable : policy.objects("spec", "variables")) {
                variables.put(Trees.text(variable, "name"), value(Trees.text(variable, "expression"), inputs));
            }
            return areAllTrue("validations", inputs);
        } catch (CelEvaluationException refused) {
            return false; // by its failurePolicy
        }
    }

    private boolean areAllTrue(String rules, Map<String, Object> inputs) throws CelEvaluationException {
        for (JsonObject rule : policy.objects("spec", rules)) {
            if (!value(Trees.text(rule, "expression"), inputs).equals(true)) {
                return false;
            }
        }
        return true;
    }

    private boolean takes(Consumer<JsonObject> change) {
        JsonObject now = POD.deepCopy();
        change.accept(now);
        return takes(POD, now, ACCOUNT);
    }

    private static Object plain(JsonElement element) {
        return new Gson().fromJson(element, Object.class);
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

        assertThat(takes(POD, with, ACCOUNT)).isTrue();
        assertThat(takes(with, other, ACCOUNT)).isTrue();
        assertThat(takes(with, POD, ACCOUNT)).isTrue();
        assertThat(takes(without, alone, ACCOUNT)).isTrue();
        assertThat(takes(alone, without, ACCOUNT)).isTrue();
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
        Set<String> free = Set.of("managedFields", "resourceVersion", "generation");
        List<String> taken = new ArrayList<>();
        int tried = 0;
        for (String part : List.of("metadata", "spec")) {
            for (List<String> path : paths(POD.getAsJsonObject(part), List.of(part), free)) {
                for (Change change : Change.values()) {
                    JsonObject now = POD.deepCopy();
                    change.at(now, path);
                    tried++;
                    if (takes(POD, now, ACCOUNT)) {
                        taken.add(change + " " + path);
                    }
                }
            }
        }
        assertThat(taken).isEmpty();
        assertThat(tried).isGreaterThan(100);
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

        assertThat(takes(POD, now, "system:serviceaccount:kube-system:default")).isTrue();
        assertThat(takes(POD, now, ACCOUNT)).isFalse();
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

    private enum Change {
        ANOTHER,
        NONE,
        MORE;

        void at(JsonObject tree, List<String> path) {
            JsonElement around = tree;
            for (String step : path.subList(0, path.size() - 1)) {
                around = around instanceof JsonArray list
                        ? list.get(Integer.parseInt(step))
                        : around.getAsJsonObject().get(step);
            }
            String last = path.getLast();
            switch (around) {
                case JsonArray list -> {
                    switch (this) {
                        case ANOTHER -> list.set(Integer.parseInt(last), new JsonPrimitive("another"));
                        case NONE -> list.remove(Integer.parseInt(last));
                        case MORE -> list.add("more");
                    }
                }
                default -> {
                    JsonObject map = around.getAsJsonObject();
                    switch (this) {
                        case ANOTHER -> map.addProperty(last, "another");
                        case NONE -> map.remove(last);
                        case MORE -> map.addProperty(last + "-more", "more");
                    }
                }
            }
        }
    }

    private static List<List<String>> paths(JsonElement tree, List<String> above, Set<String> without) {
        List<List<String>> found = new ArrayList<>();
        List<Map.Entry<String, JsonElement>> members = new ArrayList<>();
        if (tree instanceof JsonObject map) {
            members.addAll(map.asMap().entrySet());
        } else if (tree instanceof JsonArray list) {
            for (int i = 0; i < list.size(); i++) {
                members.add(Map.entry(Integer.toString(i), list.get(i)));
            }
        }
        for (Map.Entry<String, JsonElement> member : members) {
            if (!without.contains(member.getKey())) {
                List<String> path = new ArrayList<>(above);
                path.add(member.getKey());
                found.add(path);
                found.addAll(paths(member.getValue(), path, without));
            }
        }
        return found;
    }
}
