package io.evenkeel.chart.manifests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import io.evenkeel.chart.helm.Chart;
import io.evenkeel.chart.helm.Manifest;
import io.evenkeel.chart.helm.Manifests;
import io.evenkeel.chart.helm.Target;
import io.evenkeel.model.json.Trees;
import io.evenkeel.rotation.Rotated;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Everything that the chart makes is what the API of each Kubernetes knows. client-java has been generated from every minor
 * that the chart is for: none is left out.
 */
class OpenApiTest {
    private static final Manifest DEPLOYMENT = Chart.render("").deployment();

    static Stream<Arguments> minorsAndValues() {
        return Stream.of(KubernetesMinor.values())
                .flatMap(minor -> Stream.of(ValuesCase.values()).map(values -> Arguments.of(minor, values)));
    }

    @Rotated(5)
    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("minorsAndValues")
    void knowsAllThatIsRendered(KubernetesMinor minor, ValuesCase values) {
        Manifests rendered = values.render(Target.USUAL.on(minor.server()));
        assertThat(rendered.all()).isNotEmpty().allSatisfy(OpenApi.of(minor)::check);
    }

    /** The test of the test: that each jar is of the minor that it is said to be of. */
    @ParameterizedTest
    @EnumSource
    void isOfItsMinor(KubernetesMinor minor) {
        assertThat(KubernetesMinor.values())
                .allSatisfy(other -> assertThat(OpenApi.of(minor).has(other.arrival()))
                        .as("%s of %s", other.arrival(), other)
                        .isEqualTo(other.compareTo(minor) <= 0));
    }

    @ParameterizedTest
    @EnumSource
    void aFieldThatThereIsNotIsNoticedAtAnyDepth(KubernetesMinor minor) {
        refuses(minor, "replica", deployment -> deployment.addProperty("replica", 2));
        refuses(minor, "replica", deployment -> spec(deployment).addProperty("replica", 2));
        refuses(minor, "imag", deployment -> container(deployment).addProperty("imag", "x"));
        refuses(
                minor,
                "pth",
                deployment -> Trees.object(container(deployment), "livenessProbe", "httpGet")
                        .orElseThrow()
                        .addProperty("pth", "/"));
    }

    @ParameterizedTest
    @EnumSource
    void aFieldThatHasToBeThereIsMissed(KubernetesMinor minor) {
        refuses(minor, "selector", deployment -> spec(deployment).remove("selector"));
        refuses(minor, "name", deployment -> container(deployment).remove("name"));
    }

    @ParameterizedTest
    @EnumSource
    void aValueOfTheWrongTypeIsNoticed(KubernetesMinor minor) {
        refuses(minor, "two", deployment -> spec(deployment).addProperty("replicas", "two"));
        refuses(minor, "args", deployment -> container(deployment).addProperty("args", "run"));
        refuses(minor, "image", deployment -> container(deployment).add("image", new JsonObject()));
    }

    /** Resources of a pod as a whole are a field since 1.32. */
    @Test
    void aFieldOfALaterMinorIsNone() {
        Consumer<JsonObject> later = deployment -> pod(deployment).add("resources", new JsonObject());
        refuses(KubernetesMinor.V1_31, "resources", later);
        assertThatCode(() -> OpenApi.of(KubernetesMinor.V1_32).check(changed(later)))
                .doesNotThrowAnyException();
    }

    private static void refuses(KubernetesMinor minor, String field, Consumer<JsonObject> mistake) {
        assertThatThrownBy(() -> OpenApi.of(minor).check(changed(mistake)))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("Kubernetes " + minor + ": Deployment kube-system/evenkeel: ")
                .hasMessageContaining(field);
    }

    private static Manifest changed(Consumer<JsonObject> change) {
        JsonObject tree = DEPLOYMENT.tree().deepCopy();
        change.accept(tree);
        return new Manifest(tree);
    }

    private static JsonObject spec(JsonObject deployment) {
        return deployment.getAsJsonObject("spec");
    }

    private static JsonObject pod(JsonObject deployment) {
        return Trees.object(deployment, "spec", "template", "spec").orElseThrow();
    }

    private static JsonObject container(JsonObject deployment) {
        return pod(deployment).getAsJsonArray("containers").get(0).getAsJsonObject();
    }
}
