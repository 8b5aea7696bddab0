package io.evenkeel.tools.rebalance;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.cli.Typed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as it is typed, on clusters that files hold. */
class RebalanceCommandTest {
    @TempDir
    private Path folder;

    private static String node(String name) {
        return """
                {"kind":"Node","apiVersion":"v1","metadata":{"name":"%1$s","labels":{"kubernetes.io/hostname":"%1$s",\
                "topology.kubernetes.io/zone":"%2$s"}},"status":{"allocatable":{"cpu":"4","memory":"8Gi","pods":"10"}}}""".formatted(name, name.substring(0, 1));
    }

    private static String pod(String name, String node, String owner) {
        return """
                {"kind":"Pod","apiVersion":"v1","metadata":{"name":"%s","namespace":"shop","labels":{"app":"web"}%s},\
                "spec":{"nodeName":"%s","topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"topology.kubernetes.io/zone",\
                "whenUnsatisfiable":"DoNotSchedule","labelSelector":{"matchLabels":{"app":"web"}}}]},"status":{"phase":"Running"}}""".formatted(name, owner, node);
    }

    private static String owned(String name, String node) {
        return pod(
                name,
                node,
                ",\"ownerReferences\":[{\"apiVersion\":\"apps/v1\",\"kind\":\"ReplicaSet\",\"name\":\"web\",\"uid\":\"u\","
                        + "\"controller\":true}]");
    }

    /** Three zones with a node each; five pods in a, three in b, one in c. */
    private static List<String> unevenCluster() {
        List<String> objects = new ArrayList<>(List.of(node("a1"), node("b1"), node("c1")));
        for (int i = 0; i < 9; i++) {
            objects.add(owned("web-" + i, i < 5 ? "a1" : i < 8 ? "b1" : "c1"));
        }
        return objects;
    }

    private static String scenario(String name, List<String> objects) {
        return "{\"name\":\"" + name + "\",\"objects\":" + objects.stream().collect(Collectors.joining(",", "[", "]"))
                + "}";
    }

    private Typed plan(String lines, String... arguments) throws IOException {
        Path file = Files.writeString(folder.resolve("scenarios.jsonl"), lines);
        List<String> all = new ArrayList<>(List.of("rebalance", "plan", "--scenario", file.toString()));
        all.addAll(List.of(arguments));
        return Typed.evenkeel(all.toArray(String[]::new));
    }

    @Test
    void aPlanIsALineAScenario() throws IOException {
        Typed typed =
                plan(scenario("uneven", unevenCluster()) + "\n" + scenario("empty", List.of()) + "\n", "-o", "json");

        assertThat(typed.err()).isEmpty();
        assertThat(typed.out()).isEqualTo("""
                {"name":"uneven","moves":[{"pod":"shop/web-0","from":"a1","to":"c1"},{"pod":"shop/web-1","from":"a1","to":"c1"}],\
                "optimal":true,"violations":{"before":8,"after":0}}
                {"name":"empty","moves":[],"optimal":true,"violations":{"before":0,"after":0}}
                """);
        assertThat(typed.exitCode()).isZero();
    }

    @Test
    void peopleReadWhyAndWhatFor() throws IOException {
        List<String> objects = unevenCluster();
        objects.add(pod("alone", "a1", ""));
        objects.add("""
                {"kind":"PodDisruptionBudget","apiVersion":"policy/v1","metadata":{"name":"web","namespace":"shop"},\
                "spec":{"selector":{"matchLabels":{"app":"web"}},"minAvailable":10}}""");

        assertThat(plan(scenario("uneven", unevenCluster())).out()).isEqualTo("""
                2 moves: the hard constraints of 8 pods do not hold now, and of none then; no
                fewer moves do that

                Pod          From   To   Why
                shop/web-0   a1     c1   PodTopologySpread
                shop/web-1   a1     c1   PodTopologySpread

                Spread         Over                          maxSkew   Skew now   Then
                shop app=web   topology.kubernetes.io/zone   1         4          0

                """);
        assertThat(plan(scenario("kept", objects)).out())
                .startsWith("Nothing to move: the hard constraints of 9 pods do not hold, and no moves mend\nthat\n")
                .contains(
                        "shop/alone on a1: PodTopologySpread; it stays, as nothing makes it again: it\n    has no controller\n")
                .contains("it stays, as PodDisruptionBudget shop/web\n    lets no pod go while 10 are healthy");
    }

    @Test
    void policiesAreConstraintsToo() throws IOException {
        List<String> objects = new ArrayList<>(List.of(node("a1"), node("b1"), """
                {"kind":"PlacementPolicy","apiVersion":"evenkeel.io/v1alpha1","metadata":{"name":"web","namespace":"shop"},\
                "spec":{"selector":{"matchLabels":{"app":"web"}},"rules":[{"topologyKey":"kubernetes.io/hostname","maxPods":2}]}}"""));
        for (int i = 0; i < 4; i++) {
            objects.add(owned("web-" + i, "a1").replace("DoNotSchedule", "ScheduleAnyway"));
        }
        String config = """
                {"config":{"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration",\
                "profiles":[{"plugins":{"multiPoint":{"enabled":[{"name":"PlacementPolicy"}]}}}]},""";
        String line = config + scenario("policy", objects).substring(1);

        assertThat(plan(line, "-o", "json").out())
                .contains("\"optimal\":true,\"violations\":{\"before\":4,\"after\":0}");
    }

    @Test
    void aDumpIsAClusterToo() throws IOException {
        Path file = Files.writeString(folder.resolve("cluster.json"), String.join("\n", unevenCluster()));

        assertThat(Typed.evenkeel("rebalance", "plan", "--dump", file.toString(), "-o", "json")
                        .out())
                .startsWith("{\"name\":\"cluster\",\"moves\":[{\"pod\":\"shop/web-0\",\"from\":\"a1\",\"to\":\"c1\"}");
    }

    /** The outputs of docs/rebalance.md. */
    @Test
    void otherGoalsArePlannedTheSameWay() throws IOException {
        String example = Files.readString(Path.of("../docs/examples/goals.jsonl"));
        String documented = Files.readString(Path.of("../docs/rebalance.md"));

        for (String goal :
                List.of("place --place ml/train-0", "empty-nodes", "devices", "spread", "policies -o json")) {
            Typed typed = plan(example, ("--goal " + goal).split(" "));
            assertThat(documented)
                    .contains("$ ./evenkeel rebalance plan --scenario docs/examples/goals.jsonl --goal " + goal + '\n'
                            + typed.out().stripTrailing() + '\n');
        }
        assertThat(plan(example, "-o", "json", "--goal", "place", "--place", "ml/train-0")
                        .out())
                .endsWith("\"violations\":{\"before\":1,\"after\":0},"
                        + "\"placed\":[{\"pod\":\"ml/train-0\",\"node\":\"a-gpu\"}]}\n");
        assertThat(plan(example, "-o", "json", "--goal", "empty-nodes", "--nodes", "b2")
                        .out())
                .endsWith("\"optimal\":true,\"violations\":{\"before\":1,\"after\":0},\"freed\":[\"b2\"]}\n");
    }

    @Test
    void aTemplateIsPlacedAndWhyNotIsTold() throws IOException {
        List<String> objects = new ArrayList<>(List.of(node("a1"), node("b1"), owned("web-0", "a1")));
        Path file = Files.writeString(folder.resolve("big.yaml"), """
                kind: Pod
                apiVersion: v1
                metadata: {name: big, namespace: shop}
                spec: {containers: [{name: main, resources: {requests: {cpu: "5"}}}]}
                """);

        assertThat(plan(scenario("small", objects), "--goal", "place", "--template", file.toString())
                        .out())
                .isEqualTo("""
                        Nothing to move: 1 pod waits, and no moves mend that

                        Left
                          shop/big: 0/2 nodes are available: 2 Insufficient cpu.

                        """);
        objects.add(owned("big", "b1"));
        assertThat(plan(scenario("small", objects), "--goal", "place", "--template", file.toString()))
                .satisfies(typed -> {
                    assertThat(typed.err())
                            .endsWith("scenarios.jsonl:1: --template " + file
                                    + ": pod shop/big is on node b1 already; give it another name\n");
                    assertThat(typed.exitCode()).isEqualTo(1);
                });
    }

    /** A claim of a template is made again with its pod, on another node too. */
    @Test
    void podsMoveWithTheirClaims() throws IOException {
        List<String> objects = new ArrayList<>();
        objects.add("""
                {"kind":"DeviceClass","apiVersion":"resource.k8s.io/v1","metadata":{"name":"gpu"},"spec":{}}""");
        for (String name : List.of("a1", "b1")) {
            objects.add(node(name));
            objects.add("""
                    {"kind":"ResourceSlice","apiVersion":"resource.k8s.io/v1","metadata":{"name":"%1$s"},"spec":{"driver":"x.io",\
                    "nodeName":"%1$s","pool":{"name":"%1$s","generation":1,"resourceSliceCount":1},\
                    "devices":[{"name":"gpu-0"},{"name":"gpu-1"}]}}""".formatted(name));
            objects.add("""
                    {"kind":"ResourceClaim","apiVersion":"resource.k8s.io/v1","metadata":{"name":"of-%1$s","namespace":"shop","uid":"c%1$s",\
                    "ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"web-%1$s","uid":"p%1$s","controller":true}]},"spec":\
                    {"devices":{"requests":[{"name":"gpu","exactly":{"deviceClassName":"gpu"}}]}},"status":{"allocation":{"devices":\
                    {"results":[{"request":"gpu","driver":"x.io","pool":"%1$s","device":"gpu-0"}]},"nodeSelector":{"nodeSelectorTerms":\
                    [{"matchFields":[{"key":"metadata.name","operator":"In","values":["%1$s"]}]}]}},"reservedFor":[{"resource":"pods",\
                    "name":"web-%1$s","uid":"p%1$s"}]}}""".formatted(name));
            objects.add(owned("web-" + name, name)
                    .replace("DoNotSchedule", "ScheduleAnyway")
                    .replace("\"namespace\"", "\"uid\":\"p" + name + "\",\"namespace\"")
                    .replace(
                            "\"spec\":{",
                            "\"spec\":{\"resourceClaims\":[{\"name\":\"gpu\",\"resourceClaimTemplateName\":\"gpu\"}],")
                    .replace(
                            "\"status\":{",
                            "\"status\":{\"resourceClaimStatuses\":[{\"name\":\"gpu\",\"resourceClaimName\":\"of-"
                                    + name + "\"}],"));
        }

        assertThat(plan(scenario("devices", objects), "-o", "json", "--goal", "devices")
                        .out())
                .isEqualTo("""
                        {"name":"devices","goal":"devices","moves":[{"pod":"shop/web-a1","from":"a1","to":"b1"}],"optimal":true,\
                        "violations":{"before":2,"after":1},"freed":["a1"]}
                        """);
        List<String> oneEach = objects.stream()
                .map(object -> object.replace(",{\"name\":\"gpu-1\"}", ""))
                .toList();
        assertThat(plan(scenario("devices", oneEach), "-o", "json", "--goal", "devices")
                        .out())
                .startsWith("{\"name\":\"devices\",\"goal\":\"devices\",\"moves\":[],\"optimal\":true,");
    }

    /** Also in the cluster in which soft constraints are hard. */
    @Test
    void aBudgetThatLetsNobodyGoKeepsItsPodsForEachGoal() throws IOException {
        List<String> objects = new ArrayList<>(unevenCluster());
        objects.add("""
                {"kind":"PodDisruptionBudget","apiVersion":"policy/v1","metadata":{"name":"web","namespace":"shop"},\
                "spec":{"maxUnavailable":0,"selector":{"matchLabels":{"app":"web"}}}}""");

        for (String goal : List.of("constraints", "spread", "empty-nodes")) {
            assertThat(plan(scenario("kept", objects), "-o", "json", "--goal", goal)
                            .out())
                    .as(goal)
                    .contains("\"moves\":[],\"optimal\":true,");
        }
    }

    /** If all constraints were hard, those over zones would pass over the node without a rack. */
    @Test
    void aGoalOfSoftConstraintsBreaksNoHardOne() throws IOException {
        List<String> objects = new ArrayList<>();
        for (String labels :
                List.of("\"zone\":\"a\",\"rack\":\"r\"", "\"zone\":\"b\"", "\"zone\":\"a\",\"rack\":\"r\"")) {
            objects.add("""
                    {"kind":"Node","apiVersion":"v1","metadata":{"name":"n%d","labels":{%s}},\
                    "status":{"allocatable":{"cpu":"2","pods":"110"}}}""".formatted(objects.size(), labels));
        }
        for (int pod = 0; pod < 2; pod++) {
            objects.add("""
                    {"kind":"Pod","apiVersion":"v1","metadata":{"name":"p%1$d","namespace":"shop","labels":{"app":"x"},\
                    "ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"x","uid":"u","controller":true}]},\
                    "spec":{"nodeName":"n%1$d","containers":[{"name":"c","resources":{"requests":{"cpu":"2"}}}],\
                    "topologySpreadConstraints":[\
                    {"maxSkew":1,"topologyKey":"zone","whenUnsatisfiable":"DoNotSchedule","labelSelector":{"matchLabels":{"app":"x"}}},\
                    {"maxSkew":1,"topologyKey":"rack","whenUnsatisfiable":"ScheduleAnyway","labelSelector":{"matchLabels":{"app":"x"}}}]}}""".formatted(pod));
        }

        assertThat(plan(scenario("rack", objects), "-o", "json", "--goal", "spread")
                        .out())
                .contains("\"moves\":[],\"optimal\":true,\"violations\":{\"before\":1,\"after\":1}");
    }

    @Test
    void whatMakesNoSenseIsToldInALine() throws IOException {
        assertThat(plan("{\"name\":\"x\",\"objects\":7}\n", "-o", "json")).satisfies(typed -> {
            assertThat(typed.err()).endsWith("scenarios.jsonl:1: objects: expected a list, got 7\n");
            assertThat(typed.exitCode()).isEqualTo(1);
        });
        assertThat(plan("", "--dump", "x")).satisfies(typed -> {
            assertThat(typed.err()).startsWith("evenkeel: --from, --dump, --scenario: one of these");
            assertThat(typed.exitCode()).isEqualTo(2);
        });
        assertThat(plan("", "--goal", "empty").err())
                .startsWith(
                        "evenkeel: Invalid value for option '--goal': expected one of constraints, spread, policies,"
                                + " empty-nodes, place, devices, got \"empty\"");
        assertThat(plan("", "--goal", "place").err()).startsWith("evenkeel: --goal place needs --place or --template");
        assertThat(plan("", "--place", "a/b").err())
                .startsWith("evenkeel: --place and --template go with --goal place");
        assertThat(plan("", "--nodes", "a").err()).startsWith("evenkeel: --nodes goes with --goal empty-nodes");
        assertThat(plan("", "--goal", "empty-nodes", "--nodes", "").err())
                .startsWith("evenkeel: Invalid value for option '--nodes' (NODE): must not be empty");
        assertThat(plan("", "--goal", "place", "--place", "a/b,c")).satisfies(typed -> {
            assertThat(typed.err())
                    .startsWith("evenkeel: Invalid value for option '--place' (NAMESPACE/POD): expected"
                            + " NAMESPACE/POD, got \"c\"");
            assertThat(typed.exitCode()).isEqualTo(2);
        });
        assertThat(plan(scenario("x", unevenCluster()), "--goal", "empty-nodes", "--nodes", "a2"))
                .satisfies(typed -> {
                    assertThat(typed.err())
                            .endsWith("scenarios.jsonl:1: --nodes a2: there is no such node; did you mean \"a1\"?\n");
                    assertThat(typed.exitCode()).isEqualTo(1);
                });
        assertThat(plan(scenario("x", unevenCluster()), "--goal", "place", "--place", "shop/web-0")
                        .err())
                .contains("--place shop/web-0: no such pod waits");
        assertThat(plan("", "--config", "x").err()).startsWith("evenkeel: --config goes with a cluster");
        assertThat(Typed.evenkeel("rebalance")).satisfies(typed -> {
            assertThat(typed.err()).startsWith("evenkeel: say what to do: plan");
            assertThat(typed.exitCode()).isEqualTo(2);
        });
    }
}
