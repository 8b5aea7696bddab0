package io.evenkeel.tools.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.evenkeel.api.CycleState;
import io.evenkeel.api.FilterPlugin;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PermitPlugin;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.ReservePlugin;
import io.evenkeel.api.Status;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.framework.DryRunPlugin;
import io.evenkeel.framework.cycle.FilterDryRun;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.rotation.Rotation;
import io.evenkeel.tools.output.Output;
import io.evenkeel.tools.replay.Replay.StepAudit;
import io.evenkeel.tools.why.AnswerSchema;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What is said of the pods of groups in scenarios goes with what the replay says, whatever fails on whom. */
class WhyOfGroupsTest {
    private static final long SEED = Long.getLong("evenkeel.seed", Rotation.commit());
    private static final int ROUNDS = 30;
    /** Until each state has been seen. */
    private static final int MOST_ROUNDS = 300;

    private static final List<String> STATES = List.of("gangWaits", "waits", "failed", "retried", "held");
    private static final String FATE = "fate";
    private static final List<String> FATES = List.of("filter", "reserve", "permit", "unreserved");

    private static final PluginRegistry PLUGINS =
            InTreePlugins.registry().withInEveryProfile(PluginFactory.of("Broken", Broken.class, _ -> new Broken()));

    /** Fails on pods whose label says where, and objects late to some. */
    private static final class Broken implements DryRunPlugin, FilterPlugin, ReservePlugin, PermitPlugin {
        @Override
        public String name() {
            return "Broken";
        }

        private static void failAt(String point, PodInfo pod) {
            if (pod.pod().labels().getOrDefault(FATE, "").equals(point)) {
                throw new IllegalStateException("broken\nfor good");
            }
        }

        @Override
        public Status filter(CycleState state, PendingPod waiting, NodeInfo node) {
            PodInfo pod = PodInfo.of(waiting);
            failAt("filter", pod);
            return Status.SUCCESS;
        }

        @Override
        public FilterDryRun dryRun(PodInfo pod) {
            failAt("filter", pod);
            return FilterDryRun.PASSES;
        }

        @Override
        public Status reserve(CycleState state, PendingPod waiting, NodeInfo node) {
            PodInfo pod = PodInfo.of(waiting);
            failAt("reserve", pod);
            return pod.pod().labels().getOrDefault(FATE, "").equals("unreserved")
                    ? Status.unschedulable("nothing is left to reserve")
                    : Status.SUCCESS;
        }

        @Override
        public void unreserve(CycleState state, PendingPod pod, String nodeName) {}

        @Override
        public Result permit(CycleState state, PendingPod waiting, NodeInfo node) {
            PodInfo pod = PodInfo.of(waiting);
            failAt("permit", pod);
            return new Result(Status.SUCCESS, Duration.ZERO);
        }
    }

    @Test
    void whyAndReplayAgreeOfEachPod() throws IOException {
        SplittableRandom random = new SplittableRandom(SEED);
        Set<String> states = new HashSet<>();
        for (int round = 0; round < ROUNDS || (round < MOST_ROUNDS && !states.containsAll(STATES)); round++) {
            String scenario = scenario(random);
            String as = "-Devenkeel.seed=" + SEED + ", " + scenario;
            JsonObject answer = JsonParser.parseString(replayed(scenario)).getAsJsonObject();
            Map<String, JsonObject> reports = reports(scenario);
            for (JsonElement each : answer.getAsJsonArray("steps")) {
                JsonObject step = each.getAsJsonObject();
                String key = step.get("pod").getAsString();
                JsonObject report = reports.remove(key);
                assertThat(report != null).as(as + key + answer).isEqualTo(!step.has("node"));
                if (report != null) {
                    states.add(report.get("state").getAsString());
                    check(as + "\n" + step + "\n" + report, step, report);
                }
            }
            assertThat(reports).as(as).isEmpty();
            checkFailures(as + answer, scenario, answer);
        }
        assertThat(states).containsAll(STATES);
    }

    private static void check(String as, JsonObject step, JsonObject report) {
        assertThat(AnswerSchema.problems(report.toString())).as(as).isEmpty();
        String state = report.get("state").getAsString();
        if (step.has("preEnqueue")) {
            assertThat(state).as(as).isEqualTo("held");
            return;
        }
        String message = step.get("message").getAsString();
        assertThat(report.get("message").getAsString()).as(as).isEqualTo(message);
        assertThat(state.equals("gangWaits")).as(as).isEqualTo(message.startsWith("the group waits: "));
        if (state.equals("failed")) {
            assertThat(message).as(as).startsWith("running ");
        }
        if (report.has("funnel") && report.getAsJsonObject("funnel").has("steps")) {
            JsonArray steps = report.getAsJsonObject("funnel").getAsJsonArray("steps");
            assertThat(steps).as(as).isNotEmpty();
            assertThat(steps.get(steps.size() - 1).getAsJsonObject().get("left").getAsInt())
                    .as(as)
                    .isZero();
        }
    }

    /** A failure costs the pod its answer, or the gang that it is of, and nobody else. */
    private static void checkFailures(String as, String scenario, JsonObject answer) {
        JsonObject asked = JsonParser.parseString(scenario).getAsJsonObject();
        boolean isGang = !asked.get("group").getAsString().equals("lookAhead");
        Map<String, String> groups = new HashMap<>();
        Set<String> broken = new HashSet<>();
        for (JsonElement each : asked.getAsJsonArray("pods")) {
            JsonObject pod = each.getAsJsonObject();
            JsonObject meta = pod.getAsJsonObject("metadata");
            String key = "default/" + meta.get("name").getAsString();
            String group = isGang ? pod.get("groupName").getAsString() : key;
            groups.put(key, group);
            if (meta.getAsJsonObject("labels").has(FATE)) {
                broken.add(group);
            }
        }
        for (JsonElement each : answer.getAsJsonArray("steps")) {
            JsonObject step = each.getAsJsonObject();
            if (step.toString().contains("broken\\nfor good")) {
                assertThat(broken).as(as).contains(groups.get(step.get("pod").getAsString()));
            }
        }
    }

    @Test
    void aLineOfAMessageEndsAsItDoesElsewhere() throws IOException {
        String scenario = "{\"group\":\"lookAhead\",\"objects\":[{\"kind\":\"Node\",\"metadata\":{\"name\":\"n\"},"
                + "\"status\":{\"allocatable\":{\"pods\":\"9\"}}}],\"pods\":[{\"metadata\":{\"name\":\"a\","
                + "\"labels\":{\"fate\":\"filter\"}}},{\"metadata\":{\"name\":\"b\"}}]}";
        StringWriter out = new StringWriter();
        run(Replay.asking(PLUGINS, FeatureGates.DEFAULTS, Output.TEXT.within(200)), scenario, out);

        assertThat(out.toString()).contains("default/a waits: running Filter plugin \"Broken\": broken\\nfor good");
        assertThat(replayed(scenario)).contains("\"pod\":\"default/b\"").contains("\"node\":\"n\"");
    }

    @Test
    void theExamplesAreAnsweredAsGangsOfAClusterAre() throws IOException {
        Set<String> named = new HashSet<>();
        for (String scenario : Files.readAllLines(Path.of("..", "docs", "examples", "groups.jsonl"))) {
            reports(scenario).values().forEach(report -> {
                assertThat(AnswerSchema.problems(report.toString()))
                        .as(report.toString())
                        .isEmpty();
                named.add(report.get("state").getAsString());
                if (report.get("state").getAsString().equals("gangWaits")) {
                    assertThat(report.getAsJsonArray("remedies"))
                            .as(report.toString())
                            .isNotEmpty();
                }
            });
        }
        assertThat(named).contains("gangWaits");
    }

    private static Map<String, JsonObject> reports(String scenario) {
        StringWriter out = new StringWriter();
        run(Replay.asking(PLUGINS, FeatureGates.DEFAULTS, Output.JSON.within(80)), scenario, out);
        Map<String, JsonObject> reports = new LinkedHashMap<>();
        out.toString()
                .lines()
                .map(line -> JsonParser.parseString(line).getAsJsonObject())
                .forEach(report -> assertThat(reports.put(report.get("pod").getAsString(), report))
                        .isNull());
        return reports;
    }

    private static String replayed(String scenario) {
        StringWriter out = new StringWriter();
        run(Replay.placing(PLUGINS, StepAudit.EACH, FeatureGates.DEFAULTS, Output.JSON.within(80)), scenario, out);
        return out.toString();
    }

    private static void run(Replay replay, String scenario, StringWriter out) {
        List<String> problems = new ArrayList<>();
        byte[] bytes = scenario.getBytes(StandardCharsets.UTF_8);
        replay.run(ScenarioSource.standardInput(new ByteArrayInputStream(bytes)), new PrintWriter(out), problems::add);
        assertThat(problems)
                .as(scenario)
                .allMatch(problem -> problem.contains("warning") || problem.contains("no pod waits"));
    }

    private static String scenario(SplittableRandom random) {
        List<Object> objects = new ArrayList<>();
        int nodes = 1 + random.nextInt(4);
        for (int node = 0; node < nodes; node++) {
            objects.add(Map.of(
                    "kind", "Node",
                    "metadata",
                            Map.of(
                                    "name",
                                    "n" + node,
                                    "labels",
                                    Map.of("kubernetes.io/hostname", "n" + node, "zone", "z" + node % 2)),
                    "status", Map.of("allocatable", Map.of("cpu", "" + (1 + random.nextInt(3)), "pods", "9"))));
        }
        List<Object> pods = new ArrayList<>();
        int count = 2 + random.nextInt(6);
        boolean spreads = random.nextBoolean();
        for (int pod = 0; pod < count; pod++) {
            Map<String, Object> labels = new HashMap<>(Map.of("app", "a"));
            if (random.nextInt(8) == 0) {
                labels.put(FATE, FATES.get(random.nextInt(FATES.size())));
            }
            Map<String, Object> spec = new HashMap<>();
            spec.put(
                    "containers",
                    List.of(Map.of(
                            "name",
                            "c",
                            "resources",
                            Map.of("requests", Map.of("cpu", random.nextInt(3) == 0 ? "2" : "600m")))));
            if (spreads) {
                spec.put(
                        "topologySpreadConstraints",
                        List.of(Map.of(
                                "maxSkew",
                                1,
                                "topologyKey",
                                "zone",
                                "whenUnsatisfiable",
                                "DoNotSchedule",
                                "labelSelector",
                                Map.of("matchLabels", Map.of("app", "a")))));
            }
            if (random.nextInt(20) == 0) {
                spec.put("schedulingGates", List.of(Map.of("name", "x")));
            }
            pods.add(Map.of(
                    "metadata",
                    Map.of("name", "p" + pod, "labels", labels),
                    "groupName",
                    "g" + random.nextInt(2),
                    "spec",
                    spec));
        }
        List<String> modes = List.of("lookAhead", "gang", "endState");
        return new Gson()
                .toJson(Map.of(
                        "name",
                        "s",
                        "group",
                        modes.get(random.nextInt(modes.size())),
                        "objects",
                        objects,
                        "pods",
                        pods));
    }
}
