package io.evenkeel.tools.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.tools.output.Output;
import io.evenkeel.tools.replay.Replay.StepAudit;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The scenarios of the document on policies that are about who counts and how strictly: each decides as the document says. */
class PolicyExamplesTest {
    private static final Path EXAMPLES = Path.of("../docs/examples/policies.jsonl");

    @Test
    void aPodCountsThoseOfItsRevisionAlone() throws IOException {
        assertThat(answers("revisions", "spec.rules[0].matchLabelKeys", "[]"))
                .as("with those of the old one")
                .containsExactly("new-0 b1", "new-1 b1");
        assertThat(answers("revisions")).containsExactly("new-0 b1", "new-1 a1");
    }

    @Test
    void theReplacementOfAPodThatLeavesGoesToItsZone() throws IOException {
        assertThat(answers("leavingPods", "spec.leavingPods", "\"Count\"")).containsExactly("redis-3 a1");
        assertThat(answers("leavingPods")).containsExactly("redis-3 c2");
    }

    @Test
    void aKnownZoneCountsThoughItHasNoNodes() throws IOException {
        assertThat(answers("knownDomains", "spec.rules[0].knownDomains", "[]"))
                .containsExactly("redis-0 a1", "redis-1 b1", "redis-2 a1");
        assertThat(answers("knownDomains"))
                .containsExactly(
                        "redis-0 a1",
                        "redis-1 b1",
                        "redis-2 0/2 nodes are available: 2 node(s) didn't satisfy PlacementPolicy redis"
                                + " (maxSkew 1 over topology.kubernetes.io/zone, known domain c has no nodes).");
    }

    @Test
    void aZoneThatIsRememberedCountsThoughItsNodesAreGone() throws IOException {
        assertThat(answers("rememberDomains", "status.remembered", "[]"))
                .containsExactly("redis-0 a1", "redis-1 b1", "redis-2 a1");
        assertThat(answers("rememberDomains")).isEqualTo(answers("knownDomains"));
    }

    @Test
    void aZoneOfWhichTheStatusSaysSoIsNotWaitedFor() throws IOException {
        assertThat(answers("relaxed", "status.relaxed", "[]"))
                .containsExactly("redis-2 0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't satisfy"
                        + " PlacementPolicy redis (maxSkew 1 over topology.kubernetes.io/zone).");
        assertThat(answers("relaxed")).containsExactly("redis-2 a1");
    }

    @Test
    void aPreferenceComesBeforeThoseOfOthersAndKeepsNobodyWaiting() throws IOException {
        assertThat(answers("preference", "spec.rules[0].whenUnsatisfiable", "\"DoNotSchedule\""))
                .startsWith("redis-0 a1", "redis-1 b1", "redis-2 a1")
                .last()
                .asString()
                .startsWith("redis-3 0/2 nodes are available");
        assertThat(answers("preference")).containsExactly("redis-0 a1", "redis-1 b1", "redis-2 a1", "redis-3 a1");
    }

    @Test
    void skewCountsThePodsOnNodesThatAreOpenAndOtherLimitsAllOfThem() throws IOException {
        assertThat(answers("openNodes")).startsWith("redis-0 a1");
        assertThat(answers(
                        "openNodes", "spec.rules", "[{\"topologyKey\":\"topology.kubernetes.io/zone\",\"maxPods\":2}]"))
                .startsWith("redis-0 b1");
    }

    @Test
    void aKnownZoneWhoseNodesAreTaintedCountsWithItsPods() throws IOException {
        assertThat(answers("taintedKnownDomain"))
                .containsExactly(
                        "redis-0 a1",
                        "redis-1 a1",
                        "redis-2 0/2 nodes are available: 1 node(s) didn't satisfy PlacementPolicy redis"
                                + " (maxSkew 1 over topology.kubernetes.io/zone, known domain b has no node for it),"
                                + " 1 node(s) had untolerated taint(s).");
        assertThat(answers("taintedKnownDomain", "spec.rules[0].knownDomains", "[]"))
                .containsExactly("redis-0 a1", "redis-1 a1", "redis-2 a1");
    }

    @Test
    void podsWithoutAWeightDoNotCountForTheTotalOfWeights() throws IOException {
        JsonObject without = scenario("weightsTotal");
        without.getAsJsonArray("objects")
                .asList()
                .removeIf(object ->
                        object.getAsJsonObject().get("kind").getAsString().equals("Pod"));

        assertThat(answers("weightsTotal")).containsExactly("redis-0 a1", "redis-1 a1", "redis-2 b1", "redis-3 a1");
        assertThat(answers(without)).isEqualTo(answers("weightsTotal"));
    }

    @Test
    void aPreferenceTakesNodesWithoutItsLabelLast() throws IOException {
        assertThat(answers("withoutLabel")).containsExactly("redis-0 a1", "redis-1 a1", "redis-2 a1", "redis-3 other");
        assertThat(answers("withoutLabel", "spec.rules[0].whenUnsatisfiable", "\"DoNotSchedule\""))
                .startsWith("redis-0 a1", "redis-1 a1", "redis-2 a1")
                .last()
                .asString()
                .startsWith("redis-3 0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't satisfy");
    }

    /** Three nodes and one, and weights of 3 and 1; a cap says nothing of who has how much less. */
    @Test
    void zonesOfUnequalSizeAreFilledAlikeByWeightsAndNotByACap() throws IOException {
        assertThat(answers("unequalZones"))
                .filteredOn(answer -> answer.endsWith(" b1"))
                .hasSize(2);
        assertThat(answers(
                        "unequalZones",
                        "spec.rules",
                        "[{\"topologyKey\":\"topology.kubernetes.io/zone\",\"maxPercent\":75}]"))
                .filteredOn(answer -> answer.endsWith(" b1"))
                .hasSize(6);
    }

    @Test
    void aDefaultIsForEachNamespaceByItself() throws IOException {
        assertThat(answers("defaults", "spec.countNamespaces", "\"Together\""))
                .containsExactly("blue/web-0 a1", "green/web-0 b1", "blue/web-1 a1", "blue/web-2 a1");
        assertThat(answers("defaults"))
                .containsExactly("blue/web-0 a1", "green/web-0 a1", "blue/web-1 b1", "blue/web-2 a1");
    }

    private static List<String> answers(String scenario) throws IOException {
        return answers(scenario(scenario));
    }

    /** The same where the policy has another value of this field. */
    private static List<String> answers(String scenario, String field, String value) throws IOException {
        JsonObject changed = scenario(scenario);
        JsonElement policy = changed.getAsJsonArray("objects").asList().stream()
                .filter(object ->
                        object.getAsJsonObject().get("kind").getAsString().endsWith("PlacementPolicy"))
                .findFirst()
                .orElseThrow();
        int last = field.lastIndexOf('.');
        JsonObject parent = parent(policy.getAsJsonObject(), field.substring(0, last));
        assertThat(parent.has(field.substring(last + 1))).as(field).isTrue();
        parent.add(field.substring(last + 1), JsonParser.parseString(value));
        return answers(changed);
    }

    private static JsonObject parent(JsonObject policy, String path) {
        return switch (path) {
            case "spec", "status" -> policy.getAsJsonObject(path);
            default ->
                policy.getAsJsonObject("spec").getAsJsonArray("rules").get(0).getAsJsonObject();
        };
    }

    private static JsonObject scenario(String name) throws IOException {
        return Files.readAllLines(EXAMPLES).stream()
                .map(line -> JsonParser.parseString(line).getAsJsonObject())
                .filter(line -> line.get("name").getAsString().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** By pod, its node or why it waits. */
    private static List<String> answers(JsonObject scenario) {
        StringWriter out = new StringWriter();
        Replay.placing(InTreePlugins.registry(), StepAudit.EACH, FeatureGates.DEFAULTS, Output.JSON.within(80))
                .run(
                        ScenarioSource.standardInput(
                                new ByteArrayInputStream(scenario.toString().getBytes(UTF_8))),
                        new PrintWriter(out),
                        problem -> assertThat(problem).isEmpty());
        return JsonParser.parseString(out.toString()).getAsJsonObject().getAsJsonArray("steps").asList().stream()
                .map(JsonElement::getAsJsonObject)
                .map(step -> step.get("pod").getAsString().replace("default/", "") + " "
                        + step.get(step.has("node") ? "node" : "message").getAsString())
                .toList();
    }
}
