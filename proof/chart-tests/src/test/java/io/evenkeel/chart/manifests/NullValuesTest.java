package io.evenkeel.chart.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.evenkeel.chart.helm.Chart;
import io.evenkeel.chart.helm.Manifests;
import io.evenkeel.chart.helm.Yaml;
import io.evenkeel.rotation.Rotated;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** To Helm, null takes a default away: what can do without is rendered without, the rest is missed by its name. */
class NullValuesTest {
    private static final String EVERYTHING = """
            debug: {readers: [{kind: Group, name: on-call}]}
            policies: {enabled: true}
            metrics:
              readers: [{name: prometheus, namespace: monitoring}]
              serviceMonitor: {enabled: true}
              prometheusRule: {enabled: true}
              dashboard: {enabled: true}
            networkPolicy: {enabled: true}
            plugins: {images: [{name: mine, image: mine}]}
            """;

    static Stream<List<String>> everyValue() {
        return paths(List.of(), Yaml.document(Chart.read("values.yaml")));
    }

    @Rotated(8)
    @ParameterizedTest
    @MethodSource("everyValue")
    void isLeftOutOrMissed(List<String> path) {
        OpenApi api = OpenApi.of(KubernetesMinor.V1_36);
        renderedWithout(path)
                .ifPresent(rendered -> assertThat(rendered.all())
                        .allSatisfy(api::check)
                        .allSatisfy(manifest ->
                                assertThat(manifest.tree().toString()).doesNotContain(":null", "<nil>", "%!")));
    }

    static Stream<List<String>> everySwitch() {
        return everyValue().filter(path -> fallback(path) instanceof JsonPrimitive value && value.isBoolean());
    }

    /** Whoever takes a switch away may not turn it round by that, as where true is what nothing means to Kubernetes. */
    @ParameterizedTest
    @MethodSource("everySwitch")
    void aSwitchIsMissedWhereWithoutItThingsWouldBeOtherwise(List<String> path) {
        renderedWithout(path)
                .ifPresent(rendered -> assertThat(rendered).isEqualTo(Chart.render(with(path, fallback(path)))));
    }

    @Test
    void everyDepthIsTried() {
        assertThat(everyValue())
                .contains(List.of("config"), List.of("image", "tag"), List.of("metrics", "podMonitor", "tlsConfig"));
    }

    /** Empty where the value is missed, which has to be by its name. */
    private static Optional<Manifests> renderedWithout(List<String> path) {
        try {
            return Optional.of(Chart.render(with(path, JsonNull.INSTANCE)));
        } catch (IllegalStateException refused) {
            assertThat(refused).hasMessageMatching("(?s).*missing propert.*'" + path.getLast() + "'.*");
            return Optional.empty();
        }
    }

    private static Stream<List<String>> paths(List<String> above, JsonObject values) {
        return values.entrySet().stream().flatMap(value -> {
            List<String> path =
                    Stream.concat(above.stream(), Stream.of(value.getKey())).toList();
            JsonElement below = value.getValue();
            return Stream.concat(
                    Stream.of(path), below.isJsonObject() ? paths(path, below.getAsJsonObject()) : Stream.empty());
        });
    }

    private static JsonElement fallback(List<String> path) {
        JsonElement value = Yaml.document(Chart.read("values.yaml"));
        for (String key : path) {
            value = value.getAsJsonObject().get(key);
        }
        return value;
    }

    private static String with(List<String> path, JsonElement value) {
        JsonObject values = Yaml.document(EVERYTHING);
        JsonObject group = values;
        for (String key : path.subList(0, path.size() - 1)) {
            Map<String, JsonElement> members = group.asMap();
            group = members.computeIfAbsent(key, absent -> new JsonObject()).getAsJsonObject();
        }
        group.add(path.getLast(), value);
        return values.toString();
    }
}
