package io.evenkeel.tools.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.FeatureGates;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.tools.output.Output;
import io.evenkeel.tools.output.Report;
import io.evenkeel.tools.replay.Replay.StepAudit;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Scenarios whose pods are placed together. */
class GroupReplayTest {
    private static final String CONTRADICTION =
            "zones a and b take 5, 6 are asked for: maxSkew 1 over zones (topology.kubernetes.io/zone) and"
                    + " maxSkew 1 over nodes (kubernetes.io/hostname) contradict each other; 5 would do, or 7 at once";

    @ParameterizedTest
    @CsvSource({
        "5, lookAhead, placed, 5", "5, gang, placed, 5", "5, endState, placed, 5",
        "6, lookAhead, infeasible, 5", "6, gang, infeasible, 0", "6, endState, infeasible, 0",
        "7, lookAhead, endStateOnly, 5", "7, gang, endStateOnly, 0", "7, endState, endStateOnly, 7",
    })
    void saysWhatBecameOfTheGroup(int pods, String mode, String outcome, int placed) throws IOException {
        Map<String, Object> answer = answer(scenario(pods, "\"group\":\"" + mode + "\",", ""));
        Map<String, Object> group = map(answer.get("group"));

        assertThat(group.get("outcome")).isEqualTo(outcome);
        assertThat(list(group.get("order"))).hasSize(placed);
        assertThat(map(group.get("nodes")).keySet())
                .isEqualTo(Map.copyOf(nodesOfSteps(answer)).keySet());
        assertThat(map(group.get("nodes"))).isEqualTo(nodesOfSteps(answer));
        assertThat(group.containsKey("certificate")).isEqualTo(!outcome.equals("placed"));
        assertThat((Long) group.get("steps")).isBetween((long) Math.min(placed, 5), 100L);
    }

    @Test
    void theCertificateNamesBothConstraints() throws IOException {
        Map<String, Object> answer = answer(scenario(6, "\"group\":\"gang\",", ""));

        assertThat(map(answer.get("group"))).containsEntry("certificate", CONTRADICTION);
        assertThat(list(answer.get("steps")))
                .allSatisfy(
                        step -> assertThat(map(step)).containsEntry("message", "the group waits: " + CONTRADICTION));
    }

    @Test
    void atOnceEachIsJudgedBesideAllOthers() throws IOException {
        Map<String, Object> answer = answer(scenario(7, "\"group\":\"endState\",", ""));

        // beside the other six there is but one node that lets a pod in: its own
        assertThat(list(answer.get("steps")))
                .allSatisfy(step -> assertThat(map(map(step).get("totals"))).containsOnlyKeys((String)
                        Objects.requireNonNull(map(step).get("node"))));
    }

    @Test
    void groupsAreToldApartByName() throws IOException {
        Map<String, Object> answer =
                answer("{\"name\":\"two\",\"group\":\"gang\",\"objects\":[" + nodes() + "],\"pods\":["
                        + pod("a1", ",\"groupName\":\"a\"") + "," + pod("b1", ",\"groupName\":\"b\"") + ","
                        + pod("a2", ",\"groupName\":\"a\"") + "," + pod("c1", "") + "]}");

        assertThat(answer).doesNotContainKey("group");
        assertThat(map(answer.get("groups"))).containsOnlyKeys("a", "b", "");
        assertThat(map(map(answer.get("groups")).get("a")).get("order")).isEqualTo(List.of("default/a1", "default/a2"));
        assertThat(nodesOfSteps(answer)).hasSize(4);
    }

    /** Two nodes with a device each: of pods that claim one, two fit together. */
    @ParameterizedTest
    @CsvSource({"2, gang, placed", "2, endState, placed", "3, gang, infeasible", "2, lookAhead, placed"})
    void podsOfAGroupShareDevicesOut(int pods, String mode, String outcome) throws IOException {
        String devices = IntStream.range(0, 2).mapToObj("""
                    {"kind":"Node","metadata":{"name":"d%1$s"},"status":{"allocatable":{"pods":"9"}}},
                    {"kind":"ResourceSlice","metadata":{"name":"d%1$s"},"spec":{"driver":"gpu","nodeName":"d%1$s",
                    "pool":{"name":"d%1$s","generation":1,"resourceSliceCount":1},"devices":[{"name":"g%1$s"}]}},
                    """::formatted).collect(Collectors.joining());
        String claims = IntStream.range(0, pods).mapToObj("""
                    {"kind":"ResourceClaim","metadata":{"name":"c%1$s","namespace":"default","uid":"c%1$s"},
                    "spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"any"}}]}}}"""::formatted).collect(Collectors.joining(","));
        String claiming = IntStream.range(0, pods).mapToObj("""
                    {"metadata":{"name":"p%1$s","namespace":"default"},
                    "spec":{"resourceClaims":[{"name":"r","resourceClaimName":"c%1$s"}]}}"""::formatted).collect(Collectors.joining(","));
        Map<String, Object> answer = answer(("{\"name\":\"devices\",\"group\":\"" + mode + "\",\"objects\":["
                        + devices + "{\"kind\":\"DeviceClass\",\"metadata\":{\"name\":\"any\"},\"spec\":{}},"
                        + claims + "],\"pods\":[" + claiming + "]}")
                .replace("\n", ""));

        assertThat(map(answer.get("group"))).containsEntry("outcome", outcome);
        assertThat(list(answer.get("steps")).stream()
                        .flatMap(step -> map(map(step).getOrDefault("allocations", Map.of())).values().stream())
                        .flatMap(claim -> list(map(claim).get("results")).stream())
                        .map(result -> map(result).get("device")))
                .containsExactlyInAnyOrderElementsOf(outcome.equals("placed") ? List.of("g0", "g1") : List.of());
    }

    @Test
    void theRedisClusterThatStopsAtItsLastPodIsPlaced() throws IOException {
        String redis = recorded("3az-3-shards").replaceFirst("\\{", "{\"group\":\"lookAhead\",");
        Map<String, Object> answer = answer(redis);

        assertThat(map(answer.get("group"))).containsEntry("outcome", "placed");
        assertThat(nodesOfSteps(answer)).hasSize(6);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        "group":"gong"   | "metadata":{"name":"x"}               | group: expected one of lookAhead, gang, endState, got "gong"; did you mean "gang"?
        "group":true     | "metadata":{"name":"x"}               | group: expected a string, got true
        "group":"gang"   | "metadata":{"name":"x"},"groupName":1 | pods[0].groupName: expected a string, got 1
        """, quoteCharacter = '\0')
    void badValuesAreRefusedInALineThatNamesTheField(String group, String pod, String problem) {
        StringWriter out = new StringWriter();

        assertThat(problems("{" + group + ",\"pods\":[{" + pod + "}]}", out)).containsExactly("test:1: " + problem);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void podsOfAGroupNeedNamesOfTheirOwn() {
        assertThat(problems(
                        "{\"group\":\"gang\",\"pods\":[" + pod("x", "") + "," + pod("x", "") + "]}",
                        new StringWriter()))
                .containsExactly("test:1: pods[1]: a second Pod default/x; pods that are placed together need names of"
                        + " their own");
    }

    @Test
    void theNameOfAGroupIsNoUnknownField() {
        assertThat(problems(
                        "{\"group\":\"gang\",\"pods\":[" + pod("x", ",\"groupName\":\"a\"") + "]}", new StringWriter()))
                .isEmpty();
        assertThat(problems("{\"pods\":[" + pod("x", ",\"groupName\":\"a\"") + "]}", new StringWriter()))
                .containsExactly("test:1: warning: pods[0].groupName: the scenario places no groups, as it has no"
                        + " \"group\"");
    }

    @Test
    void forPeopleTheOrderIsAList() throws IOException {
        String text = replayed(scenario(7, "\"group\":\"endState\",", ""), Output.TEXT.within(70));

        assertThat(text).startsWith("""
            web

            group: only all at once; all 7 fit at once, but no order in which they
            come one by one is legal (17 steps)
                  1  default/p0 on n1
            """);
    }

    private static Map<String, Object> nodesOfSteps(Map<String, Object> answer) {
        Map<String, Object> nodes = new TreeMap<>();
        for (Object step : list(answer.get("steps"))) {
            Object node = map(step).get("node");
            if (node != null) {
                nodes.put((String) Objects.requireNonNull(map(step).get("pod")), node);
            }
        }
        return nodes;
    }

    private static String scenario(int pods, String fields, String more) {
        return "{\"name\":\"web\"," + fields + "\"objects\":[" + nodes() + "],\"pods\":["
                + IntStream.range(0, pods).mapToObj(i -> pod("p" + i, more)).collect(Collectors.joining(",")) + "]}";
    }

    private static String nodes() {
        return node("n1", "a") + "," + node("n2", "a") + "," + node("n3", "b");
    }

    private static String node(String name, String zone) {
        return "{\"kind\":\"Node\",\"metadata\":{\"name\":\"" + name
                + "\",\"labels\":{\"kubernetes.io/hostname\":\"" + name + "\",\"topology.kubernetes.io/zone\":\"" + zone
                + "\"}},\"status\":{\"allocatable\":{\"cpu\":\"8\",\"pods\":\"110\"}}}";
    }

    private static String pod(String name, String more) {
        return "{\"metadata\":{\"name\":\"" + name + "\",\"labels\":{\"app\":\"web\"}},\"spec\":{"
                + "\"topologySpreadConstraints\":[" + spread("topology.kubernetes.io/zone") + ","
                + spread("kubernetes.io/hostname") + "]}" + more + "}";
    }

    private static String spread(String key) {
        return "{\"maxSkew\":1,\"topologyKey\":\"" + key
                + "\",\"whenUnsatisfiable\":\"DoNotSchedule\",\"labelSelector\":{\"matchLabels\":{\"app\":\"web\"}}}";
    }

    private static Map<String, Object> answer(String scenario) throws IOException {
        return JsonTree.object(replayed(scenario, Output.JSON.within(80)));
    }

    private static String replayed(String scenario, Function<Report, String> format) {
        StringWriter out = new StringWriter();
        List<String> problems = problems(scenario, out, format);
        assertThat(problems).isEmpty();
        return out.toString();
    }

    private static List<String> problems(String scenario, StringWriter out) {
        return problems(scenario, out, Output.JSON.within(80));
    }

    private static List<String> problems(String scenario, StringWriter out, Function<Report, String> format) {
        List<String> problems = new ArrayList<>();
        byte[] bytes = scenario.getBytes(StandardCharsets.UTF_8);
        Replay.placing(InTreePlugins.registry(), StepAudit.EACH, FeatureGates.DEFAULTS, format)
                .run(
                        new ScenarioSource("test", () -> new ByteArrayInputStream(bytes), false),
                        new PrintWriter(out),
                        problems::add);
        return problems;
    }

    private static String recorded(String name) throws IOException {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Objects.requireNonNull(
                        GroupReplayTest.class.getResourceAsStream("/conformance/seeds.jsonl.gz"))),
                StandardCharsets.UTF_8))) {
            return reader.lines()
                    .filter(line -> line.contains(name))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(@org.jspecify.annotations.Nullable Object value) {
        return (Map<String, Object>) Objects.requireNonNull(value);
    }

    private static List<?> list(@org.jspecify.annotations.Nullable Object value) {
        return (List<?>) Objects.requireNonNull(value);
    }
}
