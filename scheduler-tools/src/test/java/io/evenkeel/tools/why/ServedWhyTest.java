package io.evenkeel.tools.why;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.cli.Typed;
import io.evenkeel.app.http.EndpointServer;
import io.evenkeel.app.http.EndpointServer.AccessControl;
import io.evenkeel.app.http.ErrorStatus;
import io.evenkeel.app.http.Reply;
import io.evenkeel.app.http.Request;
import io.evenkeel.app.http.Routes;
import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.model.build.ContainerBuilder;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code evenkeel why pod}, answered by an Evenkeel that runs. */
class ServedWhyTest {
    private final CopiedCluster cluster = new CopiedCluster();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final Thread turns = cluster.turns();
    private volatile AccessControl access = AccessControl.OPEN_TO_ALL;
    private Optional<EndpointServer> server = Optional.empty();

    @BeforeEach
    void serve() throws IOException {
        cluster.put(NodeBuilder.node("n1")
                .allocatable("cpu", "4", "memory", "8Gi", "pods", "10")
                .build());
        cluster.put(PodBuilder.pod("shop", "web")
                .uid("web")
                .schedulerName("default-scheduler")
                .container(ContainerBuilder.container("c").requests("cpu", "6").build())
                .build());
        turns.start();
        Routes routes = new Routes();
        new PlacementApi(
                        new CopyAnswers(cluster.copy, () -> true),
                        (_, _) -> new Spreads.Rows(List.of(), 0),
                        _ -> QueueKnowledge.NONE,
                        new PodsAtServer(new ScriptedTransport(_ ->
                                Answers.of(404, "{\"kind\":\"Status\",\"details\":{\"kind\":\"pods\"},\"code\":404}"))),
                        () -> Instant.EPOCH)
                .addTo(routes);
        server = Optional.of(EndpointServer.plain(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), routes, this::admission, (_, _) -> {}));
    }

    /** Which release the server is, anybody may ask. */
    private AccessControl.Admission admission(Request request) {
        if (request.path().equals("/version")) {
            return new AccessControl.Passed(request);
        }
        asked.add(request.path() + (request.asks("allNamespaces") ? "?allNamespaces" : ""));
        return access.admission(request);
    }

    @AfterEach
    void stop() throws InterruptedException {
        server.ifPresent(EndpointServer::close);
        turns.interrupt();
        turns.join();
    }

    private Typed why(String... arguments) {
        InetSocketAddress address = server.orElseThrow().address();
        List<String> all = new ArrayList<>(List.of("why", "--master", "http://127.0.0.1:" + address.getPort()));
        all.addAll(List.of(arguments));
        return Typed.evenkeel(all.toArray(String[]::new));
    }

    @Test
    void isPrintedAsItIsToldWithoutAnythingListed() {
        Typed typed = why("pod", "shop/web");

        assertThat(typed.err()).isEmpty();
        assertThat(typed.exitCode()).isZero();
        assertThat(typed.out())
                .startsWith("shop/web waits: 0/1 nodes are available: 1 Insufficient cpu.")
                .contains(
                        "Would help: 2 less cpu asked for (4 instead of 6) → goes to n1\n  kubectl --server=http://127.0.0.1:");
        assertThat(why("web", "-n", "shop", "-o", "json").out()).startsWith("{\"version\":1,\"pod\":\"shop/web\"");
        assertThat(asked).allMatch(path -> path.startsWith(PlacementApi.NAMESPACES));
    }

    @Test
    void whoMayNotAskAboutAllAsksAboutTheNamespace() {
        access = request -> request.asks("allNamespaces")
                ? new AccessControl.TurnedAway(ErrorStatus.forbidden("pods.why.evenkeel.io is forbidden"))
                : new AccessControl.Passed(request);

        assertThat(why("shop/web").out()).contains("(pods of other namespaces are not named");
        assertThat(asked).hasSize(2);
    }

    @Test
    void aPodThatIsNotThereIsNotLookedForElsewhere() {
        Typed typed = why("shop/none");

        assertThat(typed.exitCode()).isEqualTo(1);
        assertThat(typed.err()).matches("evenkeel: there is no pod shop/none in 127.0.0.1:\\d+, or it has finished\n");
    }

    @Test
    void whereNobodyAnswersTheClusterIsListed() {
        access = _ -> new AccessControl.TurnedAway(ErrorStatus.unavailable("caches are not synced", 0));

        Typed typed = why("shop/web");

        assertThat(typed.err())
                .startsWith("evenkeel: why.evenkeel.io is busy, asking again in 0s: caches are not synced\n"
                        + "evenkeel: warning: why.evenkeel.io gives no answer, and the cluster is listed instead:"
                        + " caches are not synced\n");
        assertThat(asked).anyMatch(path -> path.equals("/api/v1/nodes"));
    }

    /** As the API server does where it tries a replica that has just gone. */
    @Test
    void whereOneReplicaHasGoneAnotherIsAsked() {
        AtomicInteger requests = new AtomicInteger();
        access = request -> requests.getAndIncrement() < 2
                ? new AccessControl.TurnedAway(Reply.text(503, "error trying to reach service\n"))
                : new AccessControl.Passed(request);

        Typed typed = why("shop/web");

        assertThat(typed.out()).startsWith("shop/web waits: 0/1 nodes are available");
        assertThat(typed.err()).isEmpty();
    }

    @Test
    void whoeverIsAskedToComeAgainComesAgainOnce() {
        AtomicInteger requests = new AtomicInteger();
        access = request -> requests.getAndIncrement() == 0
                ? new AccessControl.TurnedAway(ErrorStatus.tooMany("too many", 0))
                : new AccessControl.Passed(request);

        Typed typed = why("shop/web");

        assertThat(typed.out()).startsWith("shop/web waits: 0/1 nodes are available");
        assertThat(typed.err()).isEqualTo("evenkeel: why.evenkeel.io is busy, asking again in 0s: too many\n");
        assertThat(asked).hasSize(2).allMatch(path -> path.startsWith(PlacementApi.NAMESPACES));
    }

    @Test
    void whereToComeAgainWouldTakeLongTheClusterIsListedAtOnce() {
        access = _ -> new AccessControl.TurnedAway(ErrorStatus.unavailable("made anew", 6));

        assertThat(why("shop/web").err()).doesNotContain("asking again").contains("listed instead: made anew");
        assertThat(asked)
                .filteredOn(path -> path.startsWith(PlacementApi.NAMESPACES))
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--alone", "--feature-gates=DRADeviceTaintRules=true", "--emulated-version=1.37"})
    void whoWantsToJudgeByThemselvesListTheCluster(String option) {
        why("shop/web", option);

        assertThat(asked).isNotEmpty().noneMatch(path -> path.startsWith(PlacementApi.NAMESPACES));
    }
}
