package io.evenkeel.tools.why;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.sun.net.httpserver.Headers;
import io.evenkeel.api.CycleState;
import io.evenkeel.api.FilterPlugin;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.Status;
import io.evenkeel.app.http.Reply;
import io.evenkeel.app.http.Request;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.engine.Scheduler.OnItsWay;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.framework.why.Account;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.ExplainingPlugin;
import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.ContainerBuilder;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.testing.LogLines;
import io.evenkeel.tools.observe.WorkloadTable;
import io.evenkeel.tools.why.ClusterCopy.FailedQuestions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlacementApiTest {
    private static final String OF_THE_SERVER = """
        {"kind":"Pod","apiVersion":"v1","metadata":{"name":"far","namespace":"shop"},"spec":{"schedulerName":"nobody",
         "containers":[{"name":"main","resources":{"requests":{"cpu":"100"}}}]}}
        """;
    private static final Instant NOW = Instant.parse("2026-11-28T10:00:00Z");
    private static final String NO_SUCH_POD =
            "{\"kind\":\"Status\",\"reason\":\"NotFound\",\"details\":{\"kind\":\"pods\"},\"code\":404}";

    /** Fails on one pod, and says no to another and cannot tell why. */
    private static final class Cursed implements FilterPlugin, ExplainingPlugin {
        @Override
        public String name() {
            return "Cursed";
        }

        @Override
        public Status filter(CycleState state, PendingPod pod, NodeInfo node) {
            return switch (pod.pod().name()) {
                case "cursed" -> throw new IllegalStateException("bug");
                case "unexplained" -> Status.unschedulable("no");
                default -> Status.SUCCESS;
            };
        }

        @Override
        public List<Account> accounts(PodInfo pod) {
            throw new IllegalStateException("a secret of another namespace");
        }

        @Override
        public List<List<Change>> remedies(PodInfo pod, NodeInfo node) {
            return List.of();
        }
    }

    private final CopiedCluster cluster = new CopiedCluster(
            InTreePlugins.registry().withInEveryProfile(PluginFactory.of("Cursed", Cursed.class, _ -> new Cursed())));
    private final ScriptedTransport server = new ScriptedTransport(
            call -> call.path().endsWith("/far") ? Answers.of(200, OF_THE_SERVER) : Answers.of(404, NO_SUCH_POD));
    private final PlacementApi api = new PlacementApi(
            new CopyAnswers(cluster.copy, cluster.scheduler::isSynced),
            WorkloadTable.spreads(UsualProfiles.CONFIGURATION),
            this::queued,
            new PodsAtServer(server),
            this::now);
    private final Thread turns = cluster.turns();
    private final Executor threads = Thread::startVirtualThread;
    private List<OnItsWay> onTheirWay = List.of();
    private Instant now = NOW;
    private Duration aGlance = Duration.ZERO;

    private Instant now() {
        now = now.plus(aGlance);
        return now;
    }

    /** A node full of one pod of another namespace, and one of this: each would make room. */
    @BeforeEach
    void fill() {
        cluster.put(NodeBuilder.node("n1")
                .allocatable("cpu", "4", "memory", "8Gi", "pods", "10")
                .build());
        cluster.put(pod("bank", "vault", "2", "n1"));
        cluster.put(pod("shop", "till", "2", "n1"));
        cluster.put(pod("shop", "big", "2", ""));
        turns.start();
    }

    @AfterEach
    void stop() throws InterruptedException {
        turns.interrupt();
        turns.join();
    }

    @Test
    void isAnObjectOfItsApi() {
        JsonObject placement =
                JsonParser.parseString(text(get("shop/pods/big/placement"))).getAsJsonObject();

        assertThat(placement.get("kind").getAsString()).isEqualTo("Placement");
        assertThat(placement.get("apiVersion").getAsString()).isEqualTo("why.evenkeel.io/v1alpha1");
        assertThat(placement.get("metadata")).hasToString("{\"name\":\"big\",\"namespace\":\"shop\"}");
        JsonObject status = placement.getAsJsonObject("status");
        assertThat(status.get("state").getAsString()).isEqualTo("waits");
        assertThat(status.get("queue"))
                .hasToString("{\"name\":\"unschedulable\",\"attempts\":3,\"seconds\":12.0,\"nextTrySeconds\":240.0}");
    }

    @Test
    void namesNoPodOfAnotherNamespace() {
        for (String output : List.of("", "?output=text", "?output=wide", "?output=json", "?output=yaml")) {
            assertThat(text(get("shop/pods/big/placement" + output)))
                    .contains(output.equals("?output=text") ? "shop/big" : "till")
                    .doesNotContain("vault")
                    .doesNotContain("bank");
        }
        assertThat(text(get("shop/pods/big/placement?output=wide&columns=200")))
                .contains("pod shop/till gone from node n1 → goes to n1")
                .contains("(pods of other namespaces are not named");
    }

    @Test
    void namesNoSchedulerThatOnlyPodsOfAnotherNamespaceName() {
        assertThat(get("shop/pods/big/placement").code()).isEqualTo(200);
        cluster.put(PodBuilder.from(pod("bank", "hidden", "0", "n1"))
                .schedulerName("project-manhattan")
                .build());
        for (String name : List.of("project-manhattan", "project-manhatten")) {
            cluster.put(PodBuilder.from(pod("shop", name, "9", ""))
                    .schedulerName(name)
                    .build());
            assertThat(text(get("shop/pods/" + name + "/placement?output=text&columns=200")))
                    .contains("no pod in place names it")
                    .doesNotContain("did you mean");
        }
        assertThat(text(get("shop/pods/project-manhatten/placement?allNamespaces&output=text&columns=200")))
                .contains("did you mean \"project-manhattan\"?");
    }

    @Test
    void looksForNoWayThatNobodyWouldGo() {
        for (int labels : List.of(3, 40)) {
            PodBuilder asking = PodBuilder.from(pod("shop", "asks-" + labels, "1", ""));
            for (int i = 0; i < labels; i++) {
                asking.nodeSelector("label-" + i, "x");
            }
            cluster.put(asking.build());
        }

        assertThat(text(get("shop/pods/asks-3/placement"))).contains("\"kind\":\"nodeSelector\"");
        assertThat(text(get("shop/pods/asks-40/placement")))
                .contains("\"state\":\"waits\"")
                .doesNotContain("\"kind\":\"nodeSelector\"");
    }

    @Test
    void namesAllToWhomeverMayAskOfAll() {
        assertThat(text(get("shop/pods/big/placement?allNamespaces&output=wide&columns=200")))
                .contains("bank/vault")
                .doesNotContain("are not named");
    }

    @Test
    void saysTheSameAsTextInAsManyColumns() {
        String text = text(get("shop/pods/big/placement?output=text&columns=60"));

        assertThat(text.replaceAll("\\s+", " "))
                .startsWith("shop/big waits: 0/1 nodes are available: 1 Insufficient cpu.")
                .contains("(3 attempts; unschedulable for 12s; the next attempt is in 4m0s if nothing changes before)");
        assertThat(text.lines()).allMatch(line -> line.length() <= 60);
    }

    @Test
    void commandsNameTheClusterAndAreColoured() {
        cluster.put(NodeBuilder.node("n2")
                .allocatable("cpu", "4", "memory", "8Gi", "pods", "10")
                .unschedulable(true)
                .build());

        assertThat(text(get("shop/pods/big/placement?output=text&columns=200&colors&kubectl=--context=it's a")))
                .contains("\n  \033[36mkubectl '--context=it'\\''s a' uncordon n2\033[0m\n");
    }

    @Test
    void readsThePodsOfOtherSchedulersThatWait() {
        assertThat(text(get("shop/pods/far/placement?output=text&columns=200")))
                .startsWith("shop/far waits for a scheduler: none is known that answers to \"nobody\"")
                .contains("(by its rules: 0/1 nodes are available: 1 Insufficient cpu.)")
                .contains("its schedulerName is \"nobody\"");
    }

    @Test
    void saysThatThereIsNoSuchPod() {
        Reply reply = get("shop/pods/none/placement");

        assertThat(reply.code()).isEqualTo(404);
        assertThat(text(reply)).contains("\"details\":{\"kind\":\"pods\"}").contains("pods \\\"none\\\" not found");
    }

    @Test
    void otherPathsLeadNowhereAndNotToTheServer() {
        for (String path : List.of(
                "shop/pods/big",
                "shop/nodes/n1/placement",
                "shop/pods/big/placement/more",
                "shop/placements/big",
                "shop/spreads/deployment.web",
                "shop/pods")) {
            assertThat(get(path).code()).as(path).isEqualTo(404);
        }
        assertThat(server.calls()).isEmpty();
    }

    @Test
    void whoAsksTooMuchIsTurnedAwayAndNobodyElse() {
        CompletableFuture<String> held = new CompletableFuture<>();
        var _ = cluster.copy.ask(Requester.OPERATOR, "default/p", (_, _) -> held.join());
        List<CompletableFuture<Integer>> greedy = IntStream.range(0, 9)
                .mapToObj(_ -> CompletableFuture.supplyAsync(
                        () -> ((Reply) api.answer(
                                        request("shop/pods/big/placement").by("greedy")))
                                .code(),
                        threads))
                .toList();
        CompletableFuture<Object> first = CompletableFuture.anyOf(greedy.toArray(CompletableFuture[]::new));
        assertThat(first.join()).isEqualTo(429);
        CompletableFuture<Integer> modest = CompletableFuture.supplyAsync(
                () -> ((Reply) api.answer(request("shop/pods/big/placement").by("modest"))).code(), threads);

        held.complete("");

        assertThat(modest.join()).isEqualTo(200);
        assertThat(greedy.stream().map(CompletableFuture::join))
                .containsOnlyOnce(429)
                .contains(200);
    }

    @Test
    void whoAsksBetweenTwoCopiesIsToldWhenToAskAgain() {
        get("shop/pods/big/placement");
        cluster.tell(new Relist.Ended("Node"));

        Reply reply = get("shop/pods/big/placement");

        assertThat(reply.code()).isEqualTo(503);
        assertThat(reply.headers()).containsEntry("Retry-After", "1");
        assertThat(text(reply)).contains("\"retryAfterSeconds\":1").contains("is made anew after a pause");
    }

    @Test
    void anEngineThatHasEndedIsNoFaultOfTheQuestion() {
        cluster.ended = true;
        Reply uncopied = get("shop/pods/big/placement");
        cluster.ended = false;
        cluster.pass(60);
        assertThat(get("shop/pods/big/placement").code()).isEqualTo(200);
        cluster.ended = true;
        Reply unqueued = get("shop/pods/big/placement");

        for (Reply reply : List.of(uncopied, unqueued)) {
            assertThat(reply.code()).isEqualTo(503);
            assertThat(text(reply))
                    .contains("\"reason\":\"ServiceUnavailable\"", "\"message\":\"the engine does not answer\"");
        }
    }

    @Test
    void aFaultOfAPluginOnAPodIsWhatThePodsConditionSays() {
        cluster.put(pod("shop", "cursed", "1", ""));

        assertThat(text(get("shop/pods/cursed/placement")))
                .contains("\"state\":\"failed\",\"message\":\"running Filter plugin \\\"Cursed\\\": bug\"");
    }

    @Test
    void aPluginThatFailsAsItExplainsCostsItsOwnPartOfTheAnswerAndItsFaultIsForTheLogAlone() {
        cluster.put(pod("shop", "unexplained", "9", ""));

        try (LogLines log = new LogLines(FailedQuestions.class)) {
            Reply reply = get("shop/pods/unexplained/placement");

            assertThat(reply.code()).isEqualTo(200);
            assertThat(text(reply))
                    .contains("\"state\":\"waits\",\"message\":\"0/1 nodes are available: 1 no.\"")
                    .contains("9 more cpu on node n1")
                    .contains("{\"plugin\":\"Cursed\",\"text\":\"failed as it was to explain itself")
                    .doesNotContain("secret");
            assertThat(text(get("shop/pods/unexplained/placement?output=wide&columns=200")))
                    .contains("Cursed: failed as it was to explain itself");
            assertThat(log.lines())
                    .containsExactly("ERROR A plugin failed as a question was answered [pod=\"shop/unexplained\"]");
        }
        assertThat(cluster.copies).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        shop/pods/big/placement?output=xml      | output: expected text, wide, json or yaml, got \\"xml\\"
        shop/pods/big/placement?output=         | output: expected text, wide, json or yaml, got \\"\\"
        shop/pods/big/placement?columns=wide    | columns: expected a number, got \\"wide\\"
        shop/pods/big/placement?columns=-1      | columns: expected a number, got \\"-1\\"
        shop/pods/big/placement?kubectl=--v=9   | kubectl: expected --kubeconfig=, --context= or --server= with a value, got \\"--v=9\\"
        shop/pods/big/placement?allNamespaces=0 | allNamespaces: expected true or nothing, got \\"0\\"
        shop/pods/big/placement?colums=80       | colums: no parameter of this path; did you mean \\"columns\\"?
        shop/pods/big/placement?allnamespaces   | allnamespaces: no parameter of this path; did you mean \\"allNamespaces\\"?
        shop/pods/A B/placement                 | \\"A B\\" is no name of a pod
        shop/pods//placement                    | \\"\\" is no name of a pod
        ../pods/x/placement                     | \\"..\\" is no name of a namespace
        shop/pods/a%2Fb/placement               | \\"a%2Fb\\" is no name of a pod
        shop/pods/big/placement?workload=rs/x   | workload: no parameter of this path
        shop/placements?workload=web            | workload: expected TYPE/NAME, as in deploy/web, got \\"web\\"
        shop/placements?workload=pod/web        | workload: expected TYPE/NAME, as in deploy/web, got \\"pod/web\\"
        shop/placements?workload=rs/A           | \\"A\\" is no name of a workload
        shop/placements?workload=rs/x&labelSelector=a | workload: goes with a namespace, and without labelSelector
        shop/spreads?workload=rs/x              | workload: no parameter of this path
        A/spreads                               | \\"A\\" is no name of a namespace
        shop/placements?labelSelector=,         | labelSelector: expected labels such as app=web,tier in (a,b), got \\",\\"
        """)
    void whatMakesNoSenseIsToldAsABadRequest(String path, String message) {
        Reply reply = get(path);

        assertThat(reply.code()).isEqualTo(400);
        assertThat(text(reply))
                .contains("\"kind\":\"Status\"", "\"reason\":\"BadRequest\"", "\"code\":400")
                .contains("\"message\":\"" + message + "\"");
        assertThat(server.calls()).isEmpty();
    }

    @Test
    void whatClientsAlwaysSendIsNoMistake() {
        assertThat(get("shop/pods/big/placement?timeout=5s&pretty=true&fieldManager=kubectl&resourceVersion=0")
                        .code())
                .isEqualTo(200);
    }

    /** A ReplicaSet of Deployment web, one of its pods in place and two that wait; so many are asked for. */
    private void putDeployment(int replicas) {
        cluster.put(new ObjectReader().read("""
                {"kind":"ReplicaSet","apiVersion":"apps/v1","metadata":{"name":"web-1","namespace":"shop","uid":"web-1",
                 "ownerReferences":[{"apiVersion":"apps/v1","kind":"Deployment","name":"web","uid":"d","controller":true}]},
                 "spec":{"replicas":%d,"selector":{}}}
                """.formatted(replicas)));
        for (String name : List.of("a", "b", "c")) {
            cluster.put(owned(name, name.equals("a") ? "n1" : "", "ReplicaSet", "web-1"));
        }
    }

    private static Pod owned(String name, String node, String kind, String owner) {
        return PodBuilder.from(pod("shop", name, node.isEmpty() ? "3" : "0", node))
                .label("app", owner)
                .controller(new OwnerReference("apps/v1", kind, owner, owner))
                .build();
    }

    @Test
    void tellsOfTheWaitingPodsOfAWorkload() {
        putDeployment(3);

        for (String workload : List.of("deploy/web", "replicasets/web-1")) {
            assertThat(text(get("shop/placements?output=text&workload=" + workload)))
                    .startsWith("shop/b, shop/c wait: 0/1 nodes are available: 1 Insufficient cpu.\n")
                    .contains("Would help: ");
        }
        assertThat(text(get("shop/placements?output=json&workload=deploy/web")))
                .startsWith("{\"version\":1,\"pod\":\"shop/b\",\"alike\":[\"shop/c\"],")
                .hasLineCount(1);
    }

    @Test
    void tellsOfAllThatWaitInATableByCause() {
        putDeployment(3);
        cluster.put(pod("bank", "ledger", "9", ""));
        String ofShop = """
                2 causes hold up 3 pods

                  PODS    SINCE  CAUSE
                     2           shop/b and 1 more wait: 0/1 nodes are available: 1 Insufficient
                """;

        for (String path : List.of("shop/placements?output=text", "shop/placements?output=text&labelSelector=")) {
            assertThat(text(get(path)))
                    .startsWith(ofShop)
                    .contains("     1           shop/big waits: ")
                    .endsWith("(pods of other schedulers are not looked at; -o wide says all)\n")
                    .doesNotContain("bank");
        }
        assertThat(text((Reply) api.answer(new Request(
                        "GET", PlacementApi.OF_ALL_NAMESPACES, Map.of("output", List.of("text")), new Headers()))))
                .startsWith("3 causes hold up 4 pods\n")
                .contains("bank/ledger waits: ");
        assertThat(text(get("shop/placements?output=text&labelSelector=app=web-1")))
                .startsWith("1 cause holds up 2 pods\n");
    }

    @Test
    void saysHowManyCausesThereWasNoTimeFor() {
        for (int cpus = 5; cpus < 10; cpus++) {
            cluster.put(pod("shop", "huge-" + cpus, Integer.toString(cpus), ""));
        }
        aGlance = Duration.ofSeconds(2);
        String untold = "and 3 more causes hold up 3 pods, and there is no time to tell of them";

        assertThat(text(get("shop/placements?output=json")).lines())
                .hasSize(3)
                .last()
                .asString()
                .contains(untold);
        assertThat(text(get("shop/placements?output=wide&columns=200"))).contains("(" + untold);
        assertThat(text(get("shop/placements"))).contains("\"metadata\":{\"remainingItemCount\":3},\"items\"", untold);
    }

    @Test
    void isAListOfObjectsOfItsApi() {
        JsonObject list =
                JsonParser.parseString(text(get("shop/placements?limit=500"))).getAsJsonObject();

        assertThat(list.get("kind").getAsString()).isEqualTo("PlacementList");
        JsonObject item = list.getAsJsonArray("items").get(0).getAsJsonObject();
        assertThat(item.get("kind").getAsString()).isEqualTo("Placement");
        assertThat(item.get("metadata")).hasToString("{\"name\":\"big\",\"namespace\":\"shop\"}");
        assertThat(item.getAsJsonObject("status").get("remarks")).asString().contains("namespaces are not named");
    }

    @Test
    void tellsOfTheSpreadOfANamespacesWorkloadsOrOfAll() {
        putDeployment(3);
        cluster.put(PodBuilder.from(pod("bank", "vault", "2", "n1"))
                .controller(new OwnerReference("apps/v1", "StatefulSet", "vault", "vault"))
                .build());

        String ofShop = text(get("shop/spreads?limit=500"));
        String ofAll = text((Reply)
                api.answer(new Request("GET", PlacementApi.SPREADS_OF_ALL_NAMESPACES, Map.of(), new Headers())));

        assertThat(ofShop)
                .startsWith(
                        "{\"kind\":\"SpreadList\",\"apiVersion\":\"why.evenkeel.io/v1alpha1\",\"metadata\":{},\"items\":[")
                .contains("{\"name\":\"deployment.web\",\"namespace\":\"shop\"},\"status\":{")
                .contains("\"wanted\":3,\"placed\":1,\"waiting\":2")
                .doesNotContain("bank");
        assertThat(ofAll)
                .contains("deployment.web")
                .contains("{\"name\":\"statefulset.vault\",\"namespace\":\"bank\"}");
    }

    @Test
    void tellsOfSeveralOnlyWhatItKnows() {
        cluster.put(owned("near", "n1", "StatefulSet", "near"));
        cluster.put(owned("job", "n1", "Job", "job"));
        cluster.put(PodBuilder.from(owned("strange", "n1", "StatefulSet", "strange"))
                .schedulerName("nobody")
                .build());
        for (String unknown : List.of("sts/none", "sts/near", "sts/strange", "job/job")) {
            Reply reply = get("shop/placements?output=text&workload=" + unknown);

            assertThat(reply.code()).as(unknown).isEqualTo(404);
            assertThat(text(reply)).contains("known here");
        }
        putDeployment(5);
        assertThat(text(get("shop/placements?output=text&workload=deploy/web")))
                .startsWith("shop/b, shop/c wait: ")
                .endsWith("\n2 of the 5 pods of ReplicaSet shop/web-1 are not made: its events may say why\n");
        cluster.remove(owned("b", "", "ReplicaSet", "web-1"));
        cluster.remove(owned("c", "", "ReplicaSet", "web-1"));
        Reply unmade = get("shop/placements?output=text&workload=deploy/web");
        assertThat(unmade.code()).isEqualTo(404);
        assertThat(text(unmade)).contains("4 of the 5 pods of ReplicaSet shop/web-1 are not made");
    }

    @Test
    void anOwnerThatMakesItsPodsInTurnOrGoesLacksNone() {
        for (String kindAndEnd : List.of(
                "StatefulSet\",\"metadata\":{",
                "ReplicaSet\",\"metadata\":{\"deletionTimestamp\":\"2026-01-01T00:00:00Z\",")) {
            cluster.put(new ObjectReader().read("""
                    {"apiVersion":"apps/v1","kind":"%s"name":"db","namespace":"shop","uid":"db"},
                     "spec":{"replicas":3,"selector":{}}}
                    """.formatted(kindAndEnd)));
        }
        cluster.put(owned("first", "n1", "StatefulSet", "db"));
        cluster.put(owned("last", "n1", "ReplicaSet", "db"));

        assertThat(text(get("shop/placements?output=text&workload=rs/db")))
                .isEqualTo("no pod waits of ReplicaSet shop/db\n");
        assertThat(text(get("shop/placements?output=text&workload=sts/db")))
                .contains("no pod of StatefulSet shop/db waits; how many it is to have is not known here");
    }

    @Test
    void podsOfOtherSchedulersAndDecidedOnesAreNoneThatWait() {
        assertThat(text(get("shop/placements?output=text&workload=rs/web-1"))).contains("known here");
        cluster.put(PodBuilder.from(pod("shop", "strange", "9", ""))
                .schedulerName("nobody")
                .build());
        cluster.put(pod("shop", "decided", "2", ""));
        onTheirWay = List.of(new OnItsWay(pod("shop", "decided", "0", ""), "n1", "WRITE", 0));

        assertThat(text(get("shop/placements?output=json")))
                .contains("shop/big")
                .doesNotContain("shop/strange")
                .doesNotContain("shop/decided");
    }

    private QueueKnowledge queued(String pod) {
        if (cluster.ended) {
            throw new EngineUnavailableException(new CancellationException("the engine has ended"));
        }
        return pod.equals("shop/big")
                ? new QueueKnowledge(
                        Optional.of(new QueuedPod(
                                "unschedulable", 3, Duration.ofSeconds(12), Optional.of(Duration.ofMinutes(4)), "")),
                        List.of())
                : new QueueKnowledge(Optional.empty(), onTheirWay);
    }

    private Reply get(String path) {
        return (Reply) api.answer(request(path));
    }

    private static Request request(String path) {
        String[] parts = path.split("\\?", 2);
        Map<String, List<String>> query = parts.length == 1
                ? Map.of()
                : Arrays.stream(parts[1].split("&"))
                        .map(pair -> (pair.contains("=") ? pair : pair + "=").split("=", 2))
                        .collect(Collectors.toMap(pair -> pair[0], pair -> List.of(pair[1])));
        return new Request("GET", PlacementApi.NAMESPACES + parts[0], query, new Headers());
    }

    private static String text(Reply reply) {
        return new String(reply.body(), StandardCharsets.UTF_8);
    }

    private static Pod pod(String namespace, String name, String cpu, String node) {
        return PodBuilder.pod(namespace, name)
                .uid(namespace + name)
                .schedulerName("default-scheduler")
                .container(ContainerBuilder.container("c").requests("cpu", cpu).build())
                .nodeName(node)
                .build();
    }
}
