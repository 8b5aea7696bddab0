package io.evenkeel.tools.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.FeatureGates;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.tools.output.Output;
import io.evenkeel.tools.replay.Replay.StepAudit;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** Answers for people, to scenarios from standard input. */
class TextAnswerTest {
    private static final int COLUMNS = 60;

    private static final String NODE = """
        {"kind":"Node","metadata":{"name":"%s","labels":{"disk":"%s"}},
         "status":{"allocatable":{"cpu":"%d","memory":"8Gi","pods":"10"}}}\
        """;

    private static final String SCENARIO = "{\"name\":\"two disks\",\"objects\":["
            + NODE.formatted("large", "ssd", 8) + "," + NODE.formatted("small", "ssd", 4) + ","
            + NODE.formatted("slow-1", "hdd", 4) + "," + NODE.formatted("slow-2", "hdd", 4) + "],"
            + """
            "pods":[
             {"metadata":{"name":"web"},"spec":{"nodeSelector":{"disk":"ssd"},
              "containers":[{"name":"c","resources":{"requests":{"cpu":"2","memory":"1Gi"}}}]}},
             {"metadata":{"name":"huge"},"spec":{"nodeSelector":{"disk":"ssd"},
              "containers":[{"name":"c","resources":{"requests":{"cpu":"64"}}}]}}]}\
            """;

    @Test
    void saysWhereEachPodGoesAndWhatWasSaidOfEveryNode() throws IOException {
        assertThat(answered(SCENARIO.replace("\n", "").getBytes(StandardCharsets.UTF_8)))
                .containsExactly(
                        "two disks",
                        "",
                        "default/web goes to large",
                        "    452  large",
                        "         TaintToleration 300, NodeResourcesFit 81,",
                        "         NodeResourcesBalancedAllocation 71",
                        "    433  small",
                        "         TaintToleration 300, NodeResourcesFit 68,",
                        "         NodeResourcesBalancedAllocation 65",
                        "     no  slow-1, slow-2",
                        "         NodeAffinity: node(s) didn't match Pod's node",
                        "         affinity/selector",
                        "",
                        "default/huge waits: 0/4 nodes are available: 2 Insufficient",
                        "cpu, 2 node(s) didn't match Pod's node affinity/selector.",
                        "     no  large, small",
                        "         NodeResourcesFit: Insufficient cpu",
                        "     no  slow-1, slow-2",
                        "         NodeAffinity: node(s) didn't match Pod's node",
                        "         affinity/selector",
                        "");
    }

    @Test
    void linesKeepToTheWidthHoweverManyNodesThereAre() throws IOException {
        StringBuilder nodes = new StringBuilder();
        for (int i = 0; i < 40; i++) {
            nodes.append(i == 0 ? "" : ",").append(NODE.formatted("node-of-a-long-name-" + i, "hdd", 4));
        }
        String scenario = "{\"name\":\"many\",\"objects\":[" + nodes
                + "],\"pods\":[{\"metadata\":{\"name\":\"web\"},\"spec\":{\"nodeSelector\":{\"disk\":\"ssd\"}}}]}";

        assertThat(answered(scenario.replace("\n", "").getBytes(StandardCharsets.UTF_8)))
                .hasSizeGreaterThan(10)
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(COLUMNS));
    }

    @Test
    void standardInputMayBeCompressed() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write("{\"name\":\"empty\"}".getBytes(StandardCharsets.UTF_8));
        }

        assertThat(answered(packed.toByteArray())).containsExactly("empty", "");
    }

    @Test
    void whatIsWrongThereIsToldOfStandardInput() {
        List<String> problems = new ArrayList<>();

        boolean all =
                replay().run(source("{}\n{\"pod\":[]}".getBytes(StandardCharsets.UTF_8)), nowhere(), problems::add);

        assertThat(all).isFalse();
        assertThat(problems).containsExactly("standard input:2: pod: unknown field; did you mean \"pods\"?");
    }

    @Test
    void saysWhoWouldHaveToGo() throws IOException {
        byte[] scenario = Files.readAllBytes(Path.of("../docs/examples/preemption.jsonl"));

        assertThat(answered(scenario))
                .startsWith(
                        "preemption",
                        "",
                        "default/urgent waits: 0/2 nodes are available: 2",
                        "Insufficient cpu. Fits on node2 once these are gone:",
                        "default/report-1.");
    }

    @Test
    void saysWhichPolicyKeepsAPodFromWhichNodeByWhichLimit() throws IOException {
        byte[] scenarios = Files.readAllBytes(Path.of("../docs/examples/policies.jsonl"));

        assertThat(String.join(" ", answered(scenarios)).replaceAll(" +", " "))
                .contains(
                        "default/redis-4 waits: 0/2 nodes are available: 2 node(s) didn't satisfy PlacementPolicy"
                                + " redis (maxPods 2",
                        "default/redis-4 waits: 0/2 nodes are available: 2 node(s) didn't satisfy PlacementPolicy"
                                + " redis (maxPercent 40",
                        "no node4, node5 PlacementPolicy: node(s) didn't satisfy PlacementPolicy redis (maxDomains 3",
                        "default/redis-2 waits: 0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't satisfy"
                                + " PlacementPolicy redis (mustUse",
                        "default/redis-9 waits: 0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't satisfy"
                                + " PlacementPolicy redis (weights",
                        "green/redis-2 waits: 0/2 nodes are available: 2 node(s) didn't satisfy ClusterPlacementPolicy"
                                + " redis (maxPods 1",
                        "PlacementPolicy redis: spec.rules[0].mustUse: has 2 domains, maxDomains is 1.");
    }

    @Test
    void saysWhichVolumeKeepsAPodFromWhichNode() throws IOException {
        byte[] scenario = Files.readAllBytes(Path.of("../docs/examples/volumes.jsonl"));

        assertThat(answered(scenario))
                .contains(
                        "default/orders-0 goes to node3",
                        "         NodeVolumeLimits: node(s) exceed max volume count",
                        "default/cache-0 goes to node1",
                        "default/ledger-1 waits: 0/3 nodes are available: 3 node(s)",
                        "         VolumeRestrictions: node(s) unavailable due to");
    }

    private static List<String> answered(byte[] scenarios) throws IOException {
        StringWriter out = new StringWriter();
        List<String> problems = new ArrayList<>();

        assertThat(replay().run(source(scenarios), new PrintWriter(out), problems::add))
                .as("%s", problems)
                .isTrue();
        return out.toString().lines().toList();
    }

    private static Replay replay() {
        return Replay.placing(
                InTreePlugins.registry(), StepAudit.NONE, FeatureGates.DEFAULTS, Output.TEXT.within(COLUMNS));
    }

    private static ScenarioSource source(byte[] bytes) {
        return ScenarioSource.standardInput(new ByteArrayInputStream(bytes));
    }

    private static PrintWriter nowhere() {
        return new PrintWriter(new StringWriter());
    }
}
