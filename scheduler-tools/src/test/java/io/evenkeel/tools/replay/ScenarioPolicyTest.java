package io.evenkeel.tools.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.tools.output.Output;
import io.evenkeel.tools.replay.Replay.StepAudit;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Pods of a workload under a policy, one after the other, on nodes with room for all of them. */
class ScenarioPolicyTest {
    private static final String ENABLED = """
        ,"config":{"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration",
          "profiles":[{"plugins":{"multiPoint":{"enabled":[{"name":"PlacementPolicy"}]}}}]}\
        """;

    private final List<String> problems = new ArrayList<>();

    @Test
    void aCapIsNamedWhereItIsReached() {
        List<JsonObject> steps = steps("{'topologyKey':'kubernetes.io/hostname','maxPods':2}", 4, 10, ENABLED);

        assertThat(podsByNode(steps)).isEqualTo(Map.of("n0", 2, "n1", 2, "n2", 2, "n3", 2));
        assertThat(steps.subList(8, 10))
                .extracting(step -> step.get("message").getAsString())
                .containsOnly("0/4 nodes are available: 4 node(s) didn't satisfy PlacementPolicy web"
                        + " (maxPods 2 over kubernetes.io/hostname).");
    }

    @Test
    void aCapInPercentIsOfAllThereAre() {
        List<JsonObject> steps = steps("{'topologyKey':'kubernetes.io/hostname','maxPercent':40}", 3, 10, ENABLED);

        assertThat(podsByNode(steps).values()).hasSize(3).allMatch(pods -> pods <= 4);
    }

    /** Within one of its share at each step, and exact at each tenth. */
    @Test
    void weightsApportion() {
        List<JsonObject> steps = steps(
                "{'topologyKey':'kubernetes.io/hostname','weights':[{'domain':'n0','weight':7},{'domain':'n1','weight':3}]}",
                3,
                50,
                ENABLED);

        for (int count = 1; count <= 50; count++) {
            Map<String, Integer> pods = podsByNode(steps.subList(0, count));
            assertThat(Math.abs(pods.getOrDefault("n0", 0) - count * 0.7)).isLessThan(1);
            assertThat(pods).doesNotContainKey("n2");
        }
        assertThat(podsByNode(steps.subList(0, 10))).isEqualTo(Map.of("n0", 7, "n1", 3));
        assertThat(podsByNode(steps)).isEqualTo(Map.of("n0", 35, "n1", 15));
    }

    @Test
    void soManyDomainsAreUsedAndEvenly() {
        List<JsonObject> steps =
                steps("{'topologyKey':'kubernetes.io/hostname','maxDomains':4,'maxSkew':1}", 7, 10, ENABLED);

        assertThat(podsByNode(steps).values()).containsExactlyInAnyOrder(3, 3, 2, 2);
    }

    @Test
    void domainsThatMustBeUsedAreBeforeAnyHasTwo() {
        List<JsonObject> steps =
                steps("{'topologyKey':'kubernetes.io/hostname','mustUse':['n3','n1'],'maxDomains':3}", 4, 5, ENABLED);

        assertThat(podsByNode(steps.subList(0, 3))).containsKeys("n1", "n3").hasSize(3);
        assertThat(podsByNode(steps)).containsKeys("n1", "n3").hasSize(3);
    }

    @Test
    void aPolicyThatCannotBeKeptIsNotTakenForNone() {
        List<JsonObject> steps = steps("{'topologyKey':'kubernetes.io/hostname','maxPods':0}", 2, 1, ENABLED);

        assertThat(steps.getFirst().get("message").getAsString())
                .isEqualTo("0/2 nodes are available: PlacementPolicy web: spec.rules[0].maxPods:"
                        + " must be from 1 to 2147483647, got 0.");
    }

    @Test
    void withoutThePluginItIsSaidThatItHasNoEffect() {
        List<JsonObject> steps = steps("{'topologyKey':'kubernetes.io/hostname','maxPods':1}", 1, 2, "");

        assertThat(podsByNode(steps)).isEqualTo(Map.of("n0", 2));
        assertThat(problems)
                .singleElement()
                .asString()
                .endsWith("objects[1]: a PlacementPolicy has no effect, as no profile enables the plugin"
                        + " PlacementPolicy");
    }

    private static Map<String, Integer> podsByNode(List<JsonObject> steps) {
        return steps.stream()
                .filter(step -> step.has("node"))
                .collect(Collectors.toMap(step -> step.get("node").getAsString(), _ -> 1, Integer::sum, TreeMap::new));
    }

    private List<JsonObject> steps(String rule, int nodes, int pods, String config) {
        String objects =
                IntStream.range(0, nodes).mapToObj(i -> """
                    {"kind":"Node","metadata":{"name":"n%1$d","labels":{"kubernetes.io/hostname":"n%1$d"}},
                     "status":{"allocatable":{"cpu":"64","memory":"64Gi","pods":"110"}}},\
                    """.formatted(i)).collect(Collectors.joining());
        String workload = IntStream.range(0, pods)
                .mapToObj(i -> "{\"metadata\":{\"name\":\"web-" + i + "\",\"labels\":{\"app\":\"web\"}}}")
                .collect(Collectors.joining(","));
        String line = """
            {"objects":[%s{"apiVersion":"evenkeel.io/v1alpha1","kind":"PlacementPolicy","metadata":{"name":"web"},
              "spec":{"selector":{"matchLabels":{"app":"web"}},"rules":[%s]}}],"pods":[%s]%s}\
            """.formatted(objects, rule.replace('\'', '"'), workload, config);
        StringWriter out = new StringWriter();
        Replay.placing(InTreePlugins.registry(), StepAudit.EACH, FeatureGates.DEFAULTS, Output.JSON.within(80))
                .run(
                        ScenarioSource.standardInput(
                                new ByteArrayInputStream(line.replace("\n", "").getBytes(StandardCharsets.UTF_8))),
                        new PrintWriter(out),
                        problems::add);
        return JsonParser.parseString(out.toString()).getAsJsonObject().getAsJsonArray("steps").asList().stream()
                .map(JsonElement::getAsJsonObject)
                .toList();
    }
}
