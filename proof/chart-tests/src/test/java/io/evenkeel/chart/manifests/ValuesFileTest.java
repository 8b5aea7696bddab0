package io.evenkeel.chart.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.evenkeel.chart.helm.Chart;
import io.evenkeel.chart.helm.Yaml;
import io.evenkeel.model.json.Trees;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The schema knows the values that there are, no more and no fewer. */
class ValuesFileTest {
    /** Free below here: the schema says more than the defaults do. */
    private static final Set<String> OPEN = Set.of(
            "affinity",
            "config",
            "livenessProbe",
            "podSecurityContext",
            "readinessProbe",
            "resources",
            "securityContext",
            "startupProbe",
            "strategy");

    @Test
    void schemaAndDefaultsHaveTheSameKeys() {
        Set<String> known = new TreeSet<>();
        schemaKeys("", JsonParser.parseString(Chart.read("values.schema.json")).getAsJsonObject(), known);
        known.remove("global"); // what Helm hands to every chart that is part of another
        Set<String> given = new TreeSet<>();
        valueKeys("", Yaml.document(Chart.read("values.yaml")), known, given);
        assertThat(given).isEqualTo(known);
    }

    @ParameterizedTest
    @CsvSource({
        "podSecurityContext, V1PodSecurityContext",
        "securityContext, V1SecurityContext",
        "affinity, V1Affinity",
        "resources, V1ResourceRequirements"
    })
    void whatIsHandedOnIsWhatKubernetesKnows(String value, String model) {
        JsonObject schema =
                JsonParser.parseString(Chart.read("values.schema.json")).getAsJsonObject();
        assertThat(Trees.object(schema, "properties", value, "properties")
                        .orElseThrow()
                        .keySet())
                .isEqualTo(OpenApi.of(KubernetesMinor.V1_36).fields(model));
    }

    private static void schemaKeys(String prefix, JsonObject schema, Set<String> keys) {
        for (Map.Entry<String, JsonElement> property :
                schema.getAsJsonObject("properties").entrySet()) {
            String key = prefix + property.getKey();
            JsonObject type = property.getValue().getAsJsonObject();
            keys.add(key);
            if (type.has("properties") && !OPEN.contains(key)) {
                schemaKeys(key + ".", type, keys);
            }
        }
    }

    private static void valueKeys(String prefix, JsonObject values, Set<String> known, Set<String> keys) {
        for (Map.Entry<String, JsonElement> value : values.entrySet()) {
            String key = prefix + value.getKey();
            keys.add(key);
            boolean isGroup = known.stream().anyMatch(other -> other.startsWith(key + "."));
            if (value.getValue().isJsonObject() && isGroup) {
                valueKeys(key + ".", value.getValue().getAsJsonObject(), known, keys);
            }
        }
    }
}
