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
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.framework.why.Account;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.ExplainingPlugin;
import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.ContainerBuilder;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.testing.LogLines;
import io.evenkeel.tools.why.ClusterCopy.FailedQuestions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
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
    private final PlacementApi api =
            new PlacementApi(cluster.copy, cluster.scheduler::isSynced, this::queued, new PodsAtServer(server));
    private final Thread turns = cluster.turns();
    private final Executor threads = Thread::startVirtualThread;

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
        for (String path : List.of("shop/pods/big", "shop/nodes/n1/placement", "shop/pods/big/placement/more")) {
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

    private QueueKnowledge queued(String pod) {
        if (cluster.ended) {
            throw new EngineUnavailableException(new CancellationException("the engine has ended"));
        }
        return pod.equals("shop/big")
                ? new QueueKnowledge(
                        Optional.of(new QueuedPod(
                                "unschedulable", 3, Duration.ofSeconds(12), Optional.of(Duration.ofMinutes(4)), "")),
                        List.of())
                : QueueKnowledge.NONE;
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
