package io.evenkeel.tools.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import io.evenkeel.app.cli.Typed;
import io.evenkeel.tools.why.AnswerSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command as it is typed, on clusters that files hold. */
class SimulateCommandTest {
    private static final String ZONE = "topology.kubernetes.io/zone";

    @TempDir
    private Path folder;

    private Path cluster = Path.of("");

    /** Six nodes in three zones; web with a pod on n1 and n2, a DaemonSet's pod and one without an owner on n1. */
    @BeforeEach
    void writeCluster() throws IOException {
        List<String> objects = new ArrayList<>();
        for (int i = 1; i <= 6; i++) {
            objects.add(node("n" + i, "abc".substring((i - 1) % 3, (i - 1) % 3 + 1)));
        }
        objects.add("""
                {"kind":"ReplicaSet","apiVersion":"apps/v1","metadata":{"name":"web-1","namespace":"shop","uid":"rs",
                "ownerReferences":[{"apiVersion":"apps/v1","kind":"Deployment","name":"web","uid":"d","controller":true}]},
                "spec":{"replicas":2,"selector":{"matchLabels":{"app":"web"}}}}""");
        objects.add(pod("web-1-a", "web", "n1", owner("ReplicaSet", "web-1")));
        objects.add(pod("web-1-b", "web", "n2", owner("ReplicaSet", "web-1")));
        objects.add(pod("agent-1", "agent", "n1", owner("DaemonSet", "agent")));
        objects.add(pod("alone", "alone", "n1", ""));
        objects.add("""
                {"kind":"PodDisruptionBudget","apiVersion":"policy/v1","metadata":{"name":"web","namespace":"shop"},
                "spec":{"selector":{"matchLabels":{"app":"web"}}},"status":{"disruptionsAllowed":0}}""");
        cluster = write("cluster.json", String.join("\n", objects));
    }

    private static String node(String name, String zone) {
        return """
                {"kind":"Node","apiVersion":"v1","metadata":{"name":"%1$s","labels":{"kubernetes.io/hostname":"%1$s",
                "topology.kubernetes.io/zone":"%2$s"}},"status":{"allocatable":{"cpu":"4","memory":"8Gi","pods":"10"}}}
                """.formatted(name, zone);
    }

    private static String pod(String name, String app, String node, String owner) {
        return """
                {"kind":"Pod","apiVersion":"v1","metadata":{"name":"%s","namespace":"shop","uid":"%s","labels":{"app":"%s"}%s},
                "spec":{"nodeName":"%s","containers":[{"name":"main","resources":{"requests":{"cpu":"1","memory":"1Gi"}}}],
                "topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"topology.kubernetes.io/zone",
                "whenUnsatisfiable":"DoNotSchedule","labelSelector":{"matchLabels":{"app":"%s"}}}]},"status":{"phase":"Running"}}
                """.formatted(name, name, app, owner, node, app);
    }

    private static String owner(String kind, String name) {
        return """
                ,"ownerReferences":[{"apiVersion":"apps/v1","kind":"%s","name":"%s","uid":"u","controller":true}]
                """.formatted(kind, name);
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private Typed simulate(String... arguments) {
        List<String> all = new ArrayList<>(List.of("simulate", "--dump", cluster.toString()));
        all.addAll(List.of(arguments));
        return Typed.evenkeel(all.toArray(String[]::new));
    }

    private static String flat(Typed typed) {
        assertThat(typed.err()).isEmpty();
        assertThat(typed.exitCode()).isZero();
        return typed.out().replaceAll("\\s+", " ");
    }

    @Test
    void aDrainedNodesPodsAreMadeAgainButForThoseWithoutAnOwner() {
        assertThat(flat(simulate("--drain", "n1")))
                .startsWith(
                        "The pod finds a node; 1 pod gone for good node n1 drained of 2 pods 1 pod to place: 1 placed, 0 pending 1 made again by their owners: 1"
                                + " placed 1 pod gone for good, as nothing makes it again: shop/alone")
                .contains("Moved Deployment shop/web: n1 → n3 ")
                .contains(
                        "(PodDisruptionBudget shop/web lets none of 1 pods go now: a drain would wait until others are"
                                + " ready)")
                .contains("(kubectl drain asks for --force where pods have no owner: nothing makes them again)");
    }

    @Test
    void ofACronJobThePodsOfOneRunArePlaced() throws IOException {
        Path nightly = write("nightly.yaml", """
                apiVersion: batch/v1
                kind: CronJob
                metadata: {name: nightly, namespace: shop}
                spec:
                  schedule: "0 3 * * *"
                  jobTemplate:
                    spec:
                      parallelism: 3
                      completions: 2
                      template:
                        spec: {restartPolicy: Never, containers: [{name: c, image: sum}]}
                """);

        assertThat(flat(simulate("-f", nightly.toString())))
                .startsWith("All 2 pods find nodes 1 manifest applied: 1 workload with 2 pods")
                .contains("Placed Job shop/nightly-run: ")
                .contains("(" + nightly + ": CronJob shop/nightly has the pods of one run, whatever its schedule)");
    }

    private static String owning(String kind, String name, int replicas) {
        return """
                {"kind":"%s","apiVersion":"apps/v1","metadata":{"name":"%s","namespace":"shop","uid":"%s"},
                "spec":{"replicas":%d,"selector":{"matchLabels":{"app":"x"}}}}""".formatted(kind, name, name, replicas);
    }

    /** On nodes with 4 CPU each; only the first pod of the set has been made. */
    @ParameterizedTest
    @CsvSource({
        "3, 3 pods to place: 3 placed; 0 pending 1 waiting before: 1 placed 2 not made before: 2 placed",
        "5, 3 pods to place: 0 placed; 3 pending; of which 2 not even made"
    })
    void whatAStatefulSetHasYetToMakeIsCounted(int cpu, String counts) throws IOException {
        String first = pod("db-0", "x", "", owner("StatefulSet", "db"))
                .replace("\"cpu\":\"1\"", "\"cpu\":\"" + cpu + "\"")
                .replace("Running", "Pending");
        write("cluster.json", Files.readString(cluster) + "\n" + owning("StatefulSet", "db", 3) + "\n" + first);

        assertThat(flat(simulate()))
                .contains(counts.replace(';', ','))
                .contains("(StatefulSet shop/db is to have 3 pods, of which 2 were not made yet)");
    }

    /** Whoever may create a ReplicaSet may write any number, and a quota keeps its pods from being made. */
    @Test
    void anOwnerOfTooManyIsLeftOut() throws IOException {
        String first = pod("web-0", "x", "", owner("ReplicaSet", "web")).replace("Running", "Pending");
        write(
                "cluster.json",
                Files.readString(cluster) + "\n" + owning("ReplicaSet", "web", Integer.MAX_VALUE) + "\n" + first);

        assertThat(flat(simulate()))
                .contains("1 pod to place: 1 placed")
                .contains("(ReplicaSet shop/web is to have 2147483647 pods, of which 2147483646 were not made yet:"
                        + " they are too many, and left out)");
    }

    @Test
    void whatAReplicaSetHasYetToMakeIsCounted() throws IOException {
        write("cluster.json", Files.readString(cluster).replace("\"replicas\":2", "\"replicas\":7"));

        assertThat(flat(simulate())).contains("5 pods to place: 5 placed, 0 pending 5 not made before: 5 placed");
    }

    @Test
    void anOwnerWithoutAPodIsLeftOutAndThatIsSaid() throws IOException {
        write("cluster.json", Files.readString(cluster) + "\n" + owning("StatefulSet", "db", 3));

        assertThat(flat(simulate()))
                .contains(
                        "(StatefulSet shop/db is to have 3 and has no pod whose like could be made: they are left out)");
    }

    @Test
    void aLostZoneIsNoDomainAnyMore() {
        String said = flat(simulate("--lose", "zone=a"));

        assertThat(said)
                .startsWith("The pod finds a node; 1 pod gone for good 2 nodes with " + ZONE
                        + "=a lost, and the 3 pods there 1 pod to place: 1 placed")
                .contains("Deployment shop/web, maxSkew 1 over " + ZONE + ", required: skew 1 → 0 a: 1 → no domain any"
                        + " more, b: 1, c: 0 → 1")
                .contains("a 2 → 0 3 → 0 38 % → – 19 % → –")
                .contains("all 6 → 4 4 → 2");
        assertThat(flat(simulate("--lose", ZONE + "=a"))).isEqualTo(said);
    }

    @Test
    void moreNodesComeWithTheirDaemonSetsPodsAndTakeThoseThatWait() {
        assertThat(flat(simulate("--add-nodes", "2", "--like", "n1", "--zone", "d", "--scale", "shop/deploy/web=8")))
                .startsWith(
                        "All 6 pods find nodes 2 nodes more like n1 in zone d, with 1 of DaemonSets' pods each Deployment shop/web scaled from 2"
                                + " to 8 6 pods to place: 6 placed, 0 pending")
                .contains("a: 1 → 2, b: 1 → 2, c: 0 → 2, d: 0 → 2")
                .contains("all 6 → 8 4 → 12");
    }

    @ParameterizedTest
    @CsvSource({"web-1-a, web-1-b", "web-1-b, web-1-a"})
    void aWorkloadThatShrinksLosesThePodsOfTheLeastDeletionCost(String costly, String gone) throws IOException {
        String uid = "\"uid\":\"" + costly + "\"";
        String cost = ",\"annotations\":{\"controller.kubernetes.io/pod-deletion-cost\":\"7\"}";
        write("cluster.json", Files.readString(cluster).replace(uid, uid + cost));

        assertThat(simulate("-n", "shop", "--scale", "deploy/web=1", "-o", "dump")
                        .out())
                .contains("\"" + costly + "\"")
                .doesNotContain("\"" + gone + "\"");
    }

    @Test
    void aScaledWorkloadInTheClusterGrowsLikeItsPodsOrShrinks() {
        assertThat(flat(simulate("-n", "shop", "--scale", "deployments.apps/web=1")))
                .startsWith("No pods to place Deployment shop/web scaled from 2 to 1 Zone")
                .contains("all 6 4 → 3");
        assertThat(flat(simulate("-n", "shop", "--scale", "deploy/web=40")))
                .contains("38 pods to place: 18 placed, 20 pending")
                .contains(
                        "Pending 20 of Deployment shop/web: 0/6 nodes are available: 2 node(s) didn't match pod topology"
                                + " spread constraints, 4 Insufficient cpu.");
    }

    @Test
    void manifestsAreAppliedAndWhatHasNoEffectIsSaid() throws IOException {
        Path manifests = write("web.yaml", """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: new, namespace: shop}
                spec:
                  replicas: 3
                  selector: {matchLabels: {app: new}}
                  template:
                    metadata: {labels: {app: new}}
                    spec:
                      schedulerName: someone-elses
                      contaners: []
                      containers: [{name: main, resources: {limits: {cpu: 3}}}]
                ---
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: settings}
                """);

        assertThat(flat(simulate("-f", manifests.toString())))
                .startsWith(
                        "All 3 pods find nodes 2 manifests applied: 1 workload with 3 pods 3 pods to place: 3 placed")
                .contains("(pods of schedulerName \"someone-elses\", which is no profile, are placed as"
                        + " \"default-scheduler\" would)")
                .contains("spec.template.spec.contaners: unknown field; did you mean \"containers\"?")
                .contains("(1 object of kind ConfigMap without effect on scheduling)");
        assertThat(flat(simulate("-f", manifests.toString(), "--scale", "shop/deploy/new=1")))
                .startsWith("The pod finds a node 2 manifests applied: 1 workload with 1 pod 1 pod to place: 1 placed");
    }

    @Test
    void anAnnotationThatNoPluginReadsIsSaid() throws IOException {
        Path manifests = write("gang.yaml", """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: gang, namespace: shop}
                spec:
                  replicas: 2
                  selector: {matchLabels: {app: gang}}
                  template:
                    metadata: {labels: {app: gang}, annotations: {evenkeel.io/group-placement: gang}}
                    spec:
                      schedulerName: evenkeel
                      containers: [{name: main}]
                """);
        Path config = write("config.yaml", """
                apiVersion: kubescheduler.config.k8s.io/v1
                kind: KubeSchedulerConfiguration
                profiles:
                - schedulerName: evenkeel
                  plugins: {multiPoint: {enabled: [{name: GroupPlacement}]}}
                """);
        String remark = "(the annotation evenkeel.io/group-placement of pods is without effect: GroupPlacement is not"
                + " enabled in their profile)";

        assertThat(flat(simulate("-f", manifests.toString()))).contains(remark);
        assertThat(flat(simulate("-f", manifests.toString(), "--config", config.toString())))
                .doesNotContain("without effect: GroupPlacement");
    }

    @Test
    void aNumberThatIsNoneIsNamedByItsField() throws IOException {
        Path manifests = write("pod.yaml", """
                apiVersion: v1
                kind: Pod
                metadata: {name: much}
                spec: {priority: 1e999999999, containers: [{name: main}]}
                """);

        assertThat(simulate("-f", manifests.toString()).err())
                .startsWith("evenkeel: " + manifests + ": Pod default/much: spec.priority: ")
                .hasLineCount(1);
    }

    @Test
    void aWorkloadThatIsThereAlreadyIsReplacedOnlyWhereItsPodsChange() throws IOException {
        String manifest = """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web, namespace: shop}
                spec:
                  replicas: 3
                  selector: {matchLabels: {app: web}}
                  template:
                    metadata: {labels: {app: web}}
                    spec:
                      containers: [{name: main, resources: {requests: {cpu: %s, memory: 1Gi}}}]
                      tolerations:
                      - {key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute}
                      - {key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute}
                      topologySpreadConstraints:
                      - {maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule,
                         labelSelector: {matchLabels: {app: web}}}
                """;
        Files.writeString(cluster, Files.readString(cluster).replace("\"containers\"", """
                "tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute"},
                {"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute"}],"containers\""""));

        assertThat(flat(simulate(
                        "-f", write("same.yaml", manifest.formatted("1")).toString())))
                .contains("1 pod to place: 1 placed")
                .contains("(Deployment shop/web is there already and stays as it is, with 3 pods in place of 2)");
        assertThat(flat(simulate(
                        "-f", write("other.yaml", manifest.formatted("2")).toString())))
                .contains("3 pods to place: 3 placed")
                .contains("(Deployment shop/web is there already with another template: its 2 pods go first;");
    }

    @Test
    void configurationsAreComparedSideBySide() throws IOException {
        Path config = write("config.yaml", """
                apiVersion: kubescheduler.config.k8s.io/v1
                kind: KubeSchedulerConfiguration
                profiles:
                - schedulerName: default-scheduler
                  pluginConfig:
                  - name: NodeResourcesFit
                    args: {scoringStrategy: {type: MostAllocated, resources: [{name: cpu, weight: 1}]}}
                """);

        assertThat(flat(simulate("--anew", "--scale", "shop/deploy/web=6", "--config", config.toString())))
                .contains("Compared this one the default plugins placed 6 6 pending 0 0")
                .contains("nodes in use 3 ")
                .contains("skew of Deployment shop/web over " + ZONE + " 0 0")
                .contains("elsewhere by this one");
        assertThat(AnswerSchema.problems(
                        "Simulation",
                        simulate("--anew", "--config", config.toString(), "-o", "json")
                                .out()))
                .isEmpty();
    }

    @Test
    void theScenarioReplaysToTheSameNodes() throws IOException {
        String line = simulate("-n", "shop", "--scale", "deploy/web=9", "-o", "scenario")
                .out();
        Path scenario = write("scenario.jsonl", line);

        Typed replayed = Typed.evenkeel("replay", "-o", "text", scenario.toString());

        String json =
                simulate("-n", "shop", "--scale", "deploy/web=9", "-o", "json").out();
        assertThat(replayed.exitCode()).isZero();
        var pods = JsonParser.parseString(json).getAsJsonObject().getAsJsonArray("pods");
        assertThat(pods)
                .hasSize(7)
                .allSatisfy(pod -> assertThat(replayed.out())
                        .contains(pod.getAsJsonObject().get("pod").getAsString() + " goes to "
                                + pod.getAsJsonObject().get("node").getAsString() + "\n"));
    }

    @Test
    void whatComesOfItMayBeWhatTheNextQuestionStartsFrom() throws IOException {
        Path then = write(
                "then.jsonl",
                simulate("-n", "shop", "--scale", "deploy/web=40", "-o", "dump").out());

        assertThat(flat(Typed.evenkeel("simulate", "--dump", then.toString(), "--add-nodes", "1", "--like", "n1")))
                .startsWith(
                        "15 of 20 pods find no node 1 node more like n1, with 1 of DaemonSets' pods each 20 pods to place: 5 placed, 15 pending 20"
                                + " waiting before: 5 placed");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "--drain gone            | 1 | --drain gone: there is no such node",
                "--add-nodes 1 --like m1 | 1 | --like m1: there is no such node; did you mean \"n1\"?",
                "--lose zone=q           | 1 | --lose zone=q: no node has the label " + ZONE + "=q; there are a, b, c",
                "--scale shop/deploy/wed=3 | 1 | --scale: there is no manifest of Deployment shop/wed, and no pod of it in"
                        + " the cluster whose like could be made; did you mean \"web\"?",
                "--scale web=3           | 2 | Invalid value for option '--scale' (WORKLOAD=N): expected [NAMESPACE/]KIND/NAME=REPLICAS,"
                        + " such as deploy/web=50, got \"web=3\"; see 'evenkeel simulate --help'",
                "--scale ds/web=3        | 2 | Invalid value for option '--scale' (WORKLOAD=N): \"ds\" is nothing that can be scaled;"
                        + " deploy, sts, rs, rc and job are; see 'evenkeel simulate --help'",
                "--lose zone             | 2 | Invalid value for option '--lose' (LABEL=VALUE): expected LABEL=VALUE, such as zone=a, got"
                        + " \"zone\"; see 'evenkeel simulate --help'",
                "--zone d                | 2 | --zone goes with --add-nodes, which is not there; see 'evenkeel simulate"
                        + " --help'",
                "--add-nodes 2           | 2 | --add-nodes needs --like: a node that they are like; see 'evenkeel simulate"
                        + " --help'",
                "--empty                 | 2 | --from, --dump, --empty: one of these; see 'evenkeel simulate --help'",
                "--against x             | 2 | --against goes with --config, which is not there; see 'evenkeel simulate"
                        + " --help'",
                "-f nowhere.yaml         | 1 | nowhere.yaml does not exist",
            })
    void aMistakeIsOneLine(String typed, int exitCode, String line) {
        assertThat(simulate(typed.split(" "))).isEqualTo(new Typed(exitCode, "", "evenkeel: " + line + "\n"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "a: [                     | :2:1: no valid YAML: expected the node content, but found '<stream end>'",
                "just text                | :1:1: expected a mapping, got \"just text\"",
                "{\"kind\": \"Pod\"       | : no valid JSON: End of input at line 2 column 1 path $.kind",
                "metadata: {name: x}      | : an object without a kind: {\"metadata\":{\"name\":\"x\"}}",
                "kind: Deployment         | : Deployment without a name: metadata.name: missing",
                "{kind: Deployment, metadata: {name: x}, spec: {}} | : Deployment default/x: spec.template: missing",
                "{kind: Deployment, metadata: {name: x}, spec: {replicas: many, template: {spec: {}}, selector: {}}}"
                        + " | : Deployment default/x: spec.replicas: expected a whole number, got \"many\"",
                "{kind: Deployment, metadata: {name: x}, spec: {template: {spec: {}}, selector: {matchLabels: {a: b}}}}"
                        + " | : Deployment default/x: spec.selector: does not match the labels of spec.template",
                "{kind: StatefulSet, metadata: {name: x}, spec: {template: {spec: {priorityClassName: high}}, selector: {}}}"
                        + " | : StatefulSet default/x: spec.template.spec.priorityClassName: there is no PriorityClass"
                        + " \"high\"; there are system-cluster-critical, system-node-critical",
                "{kind: Pod, metadata: {name: x}, spec: {priority: high}} | : Pod default/x: spec.priority: expected an"
                        + " integer, got \"high\"",
            })
    void aManifestThatMakesNoSenseIsNamedWithItsField(String manifest, String line) throws IOException {
        Path file = write("bad.yaml", manifest.strip() + "\n");

        assertThat(simulate("-f", file.toString())).isEqualTo(new Typed(1, "", "evenkeel: " + file + line + "\n"));
    }
}
