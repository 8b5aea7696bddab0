package io.evenkeel.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.cli.Typed;
import io.evenkeel.hollow.HollowCluster;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.model.json.Trees;
import io.evenkeel.rotation.Rotated;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Questions about the pods of a cluster, which are answered alone from a kubeconfig. */
@Rotated(2)
class WhyPodTest {
    private final HollowCluster cluster = HollowCluster.start();

    @TempDir
    private Path folder;

    private Path kubeconfig = Path.of("");

    @BeforeEach
    void writeKubeconfig() throws IOException {
        kubeconfig = cluster.writeKubeconfig(folder.resolve("kubeconfig"));
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private Typed why(String... arguments) {
        List<String> all = new ArrayList<>(List.of("why", "--kubeconfig", kubeconfig.toString()));
        all.addAll(List.of(arguments));
        return Typed.evenkeel(all.toArray(String[]::new));
    }

    private void node(String name, int cpus) {
        cluster.objects().create("""
                {"kind":"Node","apiVersion":"v1","metadata":{"name":"%1$s","labels":{"kubernetes.io/hostname":"%1$s"}},
                 "status":{"allocatable":{"cpu":"%2$d","memory":"8Gi","pods":"10"}}}
                """.formatted(name, cpus));
    }

    private void pod(String name, String cpu, String more) {
        cluster.objects().create("""
                {"kind":"Pod","apiVersion":"v1","metadata":{"name":"%s","namespace":"default"},"spec":{%s
                 "containers":[{"name":"main","image":"example.com/main:1","resources":{"requests":{"cpu":"%s"}}}]}}
                """.formatted(name, more, cpu));
    }

    @Test
    void saysWhatWouldHelpAPodOfAnySchedulerAndWritesNothing() {
        node("n1", 4);
        node("n2", 2);
        pod("big", "5", "");
        long before = cluster.version();

        Typed typed = why("pod", "default/big", "-o", "wide");

        assertThat(typed.err()).isEmpty();
        assertThat(typed.exitCode()).isZero();
        assertThat(typed.out())
                .startsWith("default/big waits: 0/2 nodes are available: 2 Insufficient cpu.")
                .contains("(judged by kube-scheduler's default profile:")
                .contains("NodeResourcesFit: cpu: 5 asked for, 4 free at most, on node n1")
                .contains("1 more cpu on node n1 (5 instead of 4) → goes to n1");
        assertThat(cluster.version()).isEqualTo(before);
        assertThat(cluster.requestLog().requests())
                .noneMatch(request -> request.path().contains("secrets"));
    }

    @Test
    void whereNoApiServerAnswersThatIsSaid() {
        cluster.close();

        Typed typed = why("big");

        assertThat(typed.exitCode()).isEqualTo(1);
        assertThat(typed.err())
                .matches("evenkeel: the API server 127\\.0\\.0\\.1:[0-9]+ does not answer: Connection refused\\R");
    }

    @Test
    void thePodMayBeNamedInSeveralWays() {
        node("n1", 4);
        pod("big", "5", "");

        String said = why("pod", "default/big").out();

        assertThat(said).isNotEmpty();
        assertThat(why("big").out()).isEqualTo(said);
        assertThat(why("big", "-n", "default").out()).isEqualTo(said);
        assertThat(why("default/big", "--namespace=default").out()).isEqualTo(said);
    }

    @Test
    void saysThatNobodyAnswersToASchedulerName() {
        node("n1", 4);
        pod("big", "5", "\"schedulerName\":\"evenkel\",");

        assertThat(why("big").out().replaceAll("\\s+", " "))
                .startsWith("default/big waits for a scheduler: none is known that answers to \"evenkel\"; did you mean"
                        + " \"evenkeel\"?")
                .contains("(its schedulerName is \"evenkel\", which is no profile of the configuration; no pod in place"
                        + " names it)")
                .contains("(judged as \"default-scheduler\" would judge it; -o wide says all)");
        assertThat(why("--all").out()).contains("waits for a scheduler").doesNotContain("help", "frees");
    }

    @Test
    void saysOfOthersWhereTheyAreOrWhatHoldsThem() {
        node("n1", 4);
        pod("held", "1", "\"schedulingGates\":[{\"name\":\"example.com/wait\"}],");
        pod("next", "1", "");
        pod("there", "1", "");
        cluster.objects().bind("default", "there", "n1");

        assertThat(why("held").out().replaceAll("\\s+", " "))
                .startsWith("default/held waits, held by SchedulingGates: waiting for scheduling gates:"
                        + " [example.com/wait]");
        assertThat(why("next").out()).startsWith("default/next waits for its turn; now it would go to n1");
        assertThat(why("there").out()).startsWith("default/there is on node n1");
    }

    @Test
    void allThatWaitAreToldByCause() {
        node("n1", 4);
        for (int i = 1; i <= 4; i++) {
            pod("big-" + i, "5", "");
        }
        pod("elsewhere", "1", "\"nodeSelector\":{\"disk\":\"ssd\"},");

        assertThat(why("--all").out().replace("kubectl --kubeconfig=" + kubeconfig, "kubectl"))
                .isEqualTo("""
                2 causes hold up 5 pods

                  PODS    SINCE  CAUSE
                     4           default/big-1 and 3 more wait: 0/1 nodes are available: 1
                                   Insufficient cpu.
                                 frees 1: kubectl get pod big-1 -n default -o json | kubectl patch --local -f - \
                --type=json -o json -p '[{"op":"test","path":"/spec/nodeName","value":null},{"op":"add","path":"/spec/containers/0/resources/requests/cpu","value":"4"}]' | \
                kubectl replace --force -f -
                     1           default/elsewhere waits: 0/1 nodes are available: 1 node(s)
                                   didn't match Pod's node affinity/selector.
                                 frees 1: kubectl label node n1 disk=ssd
                (-o wide says all)
                """);
        assertThat(why("--all", "-o", "wide").out())
                .startsWith("default/big-1, default/big-2, default/big-3, default/big-4 wait: 0/1 nodes are\n");
        assertThat(why("--all", "-n", "kube-system"))
                .isEqualTo(
                        new Typed(0, "", "evenkeel: no pod waits in namespace kube-system" + System.lineSeparator()));
        assertThat(why("--all", "-o", "json").out().lines())
                .hasSize(2)
                .first()
                .asString()
                .startsWith("{\"version\":1,\"pod\":\"default/big-1\",\"alike\":[\"default/big-2\",");
    }

    @Test
    void aMistypedLabelIsToBeMendedWhetherOneIsAskedAboutOrAll() {
        node("node-1", 4);
        pod("mistyped", "1", "\"nodeSelector\":{\"kubernetes.io/hostname\":\"node_1\"},");

        for (Typed typed : List.of(why("mistyped"), why("--all"))) {
            assertThat(typed.out().replaceAll("\\s+", " "))
                    .contains(
                            "(nodeSelector kubernetes.io/hostname=node_1: 0 of 1 nodes; nodes have node-1; did you mean"
                                    + " \"node-1\"?)")
                    .doesNotContain("frees", "kubectl");
        }
    }

    private void replicaSet(String name, int replicas) {
        cluster.objects().create("""
                {"kind":"ReplicaSet","apiVersion":"apps/v1","metadata":{"name":"%1$s","namespace":"default","uid":"%1$s"},
                 "spec":{"replicas":%2$d,"selector":{"matchLabels":{"app":"%1$s"}},"template":{"metadata":{"labels":{"app":"%1$s"}},
                  "spec":{"containers":[{"name":"main","image":"example.com/main:1"}]}}}}
                """.formatted(name, replicas));
    }

    @Test
    void podsThatNoControllerMakesAreToldWithTheReason() {
        node("n1", 4);
        pod("big", "5", "");
        replicaSet("web", 3);
        cluster.objects().create("""
                {"kind":"PriorityClass","apiVersion":"scheduling.k8s.io/v1","metadata":{"name":"high"},"value":1}
                """);
        assertThat(why("--all").out()).startsWith("1 cause holds up 1 pod\n");
        cluster.objects().patchStatus(ResourceTable.REPLICA_SETS, "default", "web", """
                {"status":{"conditions":[{"type":"ReplicaFailure","status":"True","reason":"FailedCreate",
                 "lastTransitionTime":"2026-01-01T00:00:00Z","message":"no PriorityClass with name hi was found"}]}}
                """);
        String reason = "3 of the 3 pods of ReplicaSet default/web are not made: no PriorityClass with name hi"
                + " was found; there are high, system-cluster-critical, system-node-critical";

        assertThat(why("rs/web").out().replaceAll("\\s+", " "))
                .startsWith("1 cause holds up 3 pods ")
                .contains(reason);
        assertThat(why("--all").out().replaceAll("\\s+", " "))
                .startsWith("2 causes hold up 4 pods ")
                .contains(reason);
        assertThat(why("rs", "web", "-o", "json")).isEqualTo(new Typed(0, "", "evenkeel: warning: " + reason + "\n"));
    }

    @Test
    void workloadsAndLabelsChoosePods() {
        node("n1", 4);
        pod("big", "5", "");
        replicaSet("web", 1);
        String set = cluster.objects()
                .get(ResourceTable.REPLICA_SETS, "default", "web")
                .orElseThrow();
        cluster.objects().create("""
                {"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-1","namespace":"default","labels":{"app":"web"},
                  "ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"%s","controller":true}]},
                 "spec":{"containers":[{"name":"main","image":"example.com/main:1","resources":{"requests":{"cpu":"6"}}}]}}
                """.formatted(Trees.text(Trees.parse(set), "metadata", "uid")));

        String said = why("rs/web").out();

        assertThat(said).startsWith("default/web-1 waits: 0/1 nodes are available");
        assertThat(why("replicasets", "default/web").out()).isEqualTo(said);
        assertThat(why("default/rs/web").out()).isEqualTo(said);
        assertThat(why("-l", "app in (web),!gone", "-o", "name").out()).isEqualTo("pod/web-1\n");
        assertThat(why("pods", "-A", "-o", "custom-columns=POD:.pod,STATE:.state")
                        .out())
                .isEqualTo("""
                POD             STATE
                default/big     waits
                default/web-1   waits
                """);
        assertThat(why("-l", "app=db").err())
                .isEqualTo("evenkeel: no pod waits with labels app=db in namespace default\n");
        assertThat(why("deploy/gone").err()).startsWith("evenkeel: there is no Deployment default/gone in ");
    }

    private void podIn(String namespace, String name) {
        cluster.objects().create("""
                {"kind":"Pod","apiVersion":"v1","metadata":{"name":"%s","namespace":"%s"},"spec":{
                 "containers":[{"name":"main","image":"example.com/main:1","resources":{"requests":{"cpu":"9"}}}]}}
                """.formatted(name, namespace));
    }

    private void namespace(String name) {
        cluster.objects().create("""
                {"kind":"Namespace","apiVersion":"v1","metadata":{"name":"%s"}}""".formatted(name));
    }

    @Test
    void aNameBehindAWordThatIsATypeAndANamespaceIsOfWhatThereIs() {
        node("n1", 4);
        namespace("jobs");
        namespace("pods");
        podIn("jobs", "worker-1");
        podIn("pods", "a");

        Typed inNamespace = why("jobs/worker-1");

        assertThat(inNamespace.out()).startsWith("jobs/worker-1 waits: ");
        assertThat(inNamespace.err())
                .isEqualTo("evenkeel: there is no Job default/worker-1, or it may not be read: the answer is about pod"
                        + " jobs/worker-1\n");
        assertThat(why("jobs/worker-1", "--if", "node like n1").out()).startsWith("jobs/worker-1 waits: ");
        assertThat(why("pods/a").out()).startsWith("pods/a waits: ");
        assertThat(why("jobs/gone").err()).startsWith("evenkeel: there is no Job default/gone in ");
        assertThat(why("jobs/worker-1", "-n", "pods").err()).startsWith("evenkeel: there is no Job pods/worker-1 in ");

        cluster.objects().create("""
                {"kind":"Job","apiVersion":"batch/v1","metadata":{"name":"worker-1","namespace":"default"},
                 "spec":{"suspend":true,"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"main","image":"i"}]}}}}
                """);
        assertThat(why("jobs/worker-1"))
                .isEqualTo(new Typed(
                        0,
                        "",
                        "evenkeel: there is also pod jobs/worker-1\nevenkeel: no pod waits of Job default/worker-1\n"));
    }

    @Test
    void theNamespaceIsThatOfTheContextWhereNoneIsSaid() throws IOException {
        node("n1", 4);
        namespace("team");
        podIn("team", "mine");
        podIn("default", "other");
        Files.writeString(
                kubeconfig,
                Files.readString(kubeconfig)
                        .replace("    cluster: hollow", "    cluster: hollow\n    namespace: team"));

        assertThat(why("mine").out()).startsWith("team/mine waits: ");
        assertThat(why("pods", "-o", "name").out()).isEqualTo("pod/mine\n");
        assertThat(why("other", "-n", "default").out()).startsWith("default/other waits: ");
        assertThat(why("--all", "-o", "name").out().lines()).hasSize(2);
    }

    /** What is in the way reads the same of them, but not how much it is. */
    @Test
    void whoAsksForMoreIsToldByItself() {
        node("n1", 4);
        pod("big", "5", "");
        pod("bigger", "30", "");

        assertThat(why("--all", "-o", "wide").out())
                .contains("default/big waits:")
                .contains("1 more cpu on node n1 (5 instead of 4)")
                .contains("default/bigger waits:")
                .contains("26 more cpu on node n1 (30 instead of 4)");
    }

    @Test
    void whatMayNotBeReadIsSaid() {
        node("n1", 4);
        pod("big", "5", "");
        cluster.authorize((_, asked) -> !asked.resource().equals("csinodes"));

        Typed typed = why("big");

        assertThat(typed.exitCode()).isZero();
        assertThat(typed.err())
                .startsWith("evenkeel: warning: cannot list objects of kind CSINode, and the answer is as if there were"
                        + " none: 403 Forbidden")
                .hasLineCount(1);

        cluster.authorize((_, asked) -> !asked.resource().equals("pods"));

        Typed refused = why("big");

        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.out()).isEmpty();
        assertThat(refused.err()).startsWith("evenkeel: cannot list Pods of ").hasLineCount(1);
    }

    @Test
    void aMistakeIsOneLine() {
        assertThat(why("nobody"))
                .satisfies(typed -> assertThat(typed.exitCode()).isEqualTo(1))
                .satisfies(typed -> assertThat(typed.err()).startsWith("evenkeel: there is no pod default/nobody in "));
        for (List<String> wrong : List.of(
                List.<String>of(),
                List.of("a", "b"),
                List.of("a", "b", "c"),
                List.of("pod", "a", "b"),
                List.of("a", "--all"),
                List.of("a", "-l", "b=c"),
                List.of("--all", "-l", "b in c"),
                List.of("gadget", "a"),
                List.of("--all", "--scenario", "x"),
                List.of("--scenario", "x", "--watch"),
                List.of("--scenario", "x", "--namespace", "team"),
                List.of("--scenario", "x", "--config", "y"),
                List.of("--scenario", "x", "--alone"))) {
            Typed typed = why(wrong.toArray(String[]::new));
            assertThat(typed.exitCode()).as("%s", wrong).isEqualTo(2);
            assertThat(typed.err()).as("%s", wrong).hasLineCount(1);
        }
        assertThat(why("team/a", "-n", "default").err())
                .isEqualTo(
                        "evenkeel: team/a is not in namespace default: name one of them; see 'evenkeel why --help'\n");
        assertThat(cluster.objects().list(ResourceTable.PODS, "")).isEmpty();
    }
}
