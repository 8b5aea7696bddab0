package io.evenkeel.app.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.app.live.LiveRoutes.LiveDumps.ServerComparison;
import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.kube.client.ApiObserver;
import io.evenkeel.kube.client.ConnectionOptions;
import io.evenkeel.kube.client.HttpTransport;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerComparisonTest {
    private static final String NODE = """
        {"kind":"Node","apiVersion":"v1","metadata":{"name":"%s"}}\
        """;
    private static final String POD = """
        {"kind":"Pod","apiVersion":"v1","metadata":{"name":"%1$s","namespace":"default","uid":"%1$s-1"},
         "spec":{"nodeName":"%2$s"},"status":{"phase":"%3$s"}}\
        """;

    @TempDir
    Path folder;

    private final ScriptedTransport server = new ScriptedTransport(ServerComparisonTest::answer);
    private final DrivenScheduler scheduler = new DrivenScheduler(server, LiveObservers.NONE, false);
    private final ServerComparison comparison = new ServerComparison(scheduler.live(), server);

    /** Two nodes; a, b on n1, c that waits, d that has ended. */
    private static ApiAnswer answer(ApiCall call) {
        return switch (call.path().replaceFirst("\\?.*", "")) {
            case "/api/v1/nodes" -> list("NodeList", NODE.formatted("n1"), NODE.formatted("n2"));
            case "/api/v1/pods" ->
                list(
                        "PodList",
                        POD.formatted("a", "n1", "Running"),
                        POD.formatted("b", "n1", "Pending"),
                        POD.formatted("c", "", "Pending"),
                        POD.formatted("d", "n1", "Succeeded"));
            default -> throw new IllegalArgumentException(call.path());
        };
    }

    private static ApiAnswer list(String kind, String... items) {
        return Answers.of(
                200,
                "{\"kind\":\"" + kind + "\",\"apiVersion\":\"v1\",\"metadata\":{},\"items\":[" + String.join(",", items)
                        + "]}");
    }

    @AfterEach
    void close() {
        scheduler.close();
    }

    @Test
    void whereBothKnowTheSameNothingIsNamed() {
        nodes("n1", "n2");
        placed("a", "n1");
        placed("b", "n1");

        assertThat(comparison.text()).isEqualTo("""
            nodes: 2 compared, missed [], redundant []
            pods: 2 compared, missed [], redundant []
            """);
    }

    @Test
    void whatOnlyTheServerHasIsMissedAndWhatOnlyTheSchedulerHasIsRedundant() {
        nodes("n1", "n3");
        placed("a", "n1");
        placed("z", "n1");

        assertThat(comparison.text()).isEqualTo("""
            nodes: 2 compared, missed [n2], redundant [n3]
            pods: 2 compared, missed [default/b on n1], redundant [default/z on n1]
            """);
        assertThat(comparison.tree().json())
                .isEqualTo("{\"nodes\":{\"compared\":2,\"missed\":[\"n2\"],\"redundant\":[\"n3\"]},"
                        + "\"pods\":{\"compared\":2,\"missed\":[\"default/b on n1\"],"
                        + "\"redundant\":[\"default/z on n1\"]}}");
    }

    @Test
    void aPodThatIsElsewhereIsBoth() {
        nodes("n1", "n2");
        placed("a", "n2");
        placed("b", "n1");

        assertThat(comparison.text())
                .contains("pods: 2 compared, missed [default/a on n1], redundant [default/a on n2]");
    }

    @Test
    void aPodOnItsWayIsNotRedundant() {
        scheduler.leads(
                NodeBuilder.node("n1").allocatable("pods", "10").build(),
                NodeBuilder.node("n2").allocatable("pods", "10").build(),
                pod("a").nodeName("n1").build(),
                pod("b").nodeName("n1").build(),
                pod("c").build());
        assertThat(scheduler.live().ask(one -> one.onTheirWay().size()).join()).isEqualTo(1);

        assertThat(comparison.text()).endsWith("\npods: 2 compared, missed [], redundant []\n");
    }

    @Test
    void aServerThatDoesNotAnswerIsSaidNotToHaveBeenCompared() {
        server.nowAnswers(_ -> {
            throw new IOException("no route");
        });
        assertThat(comparison.text()).isEqualTo("not compared with the API server: no route\n");
        assertThat(comparison.tree().json()).isEqualTo("{\"error\":\"not compared with the API server: no route\"}");

        server.nowAnswers(_ -> Answers.of(403, "no"));
        assertThat(comparison.text())
                .startsWith("not compared with the API server: GET /api/v1/nodes")
                .endsWith(" was answered with 403\n");
    }

    /** One that accepts a connection and then says nothing. */
    @Test
    void aServerThatHangsIsSoonGivenUp() throws IOException {
        try (ServerSocket hanging = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                HttpTransport transport = HttpTransport.open(
                        ConnectionOptions.of(Optional.of(kubeconfig(hanging))), "0", ApiObserver.NONE)) {
            ServerComparison hasty = new ServerComparison(scheduler.live(), transport, Duration.ofSeconds(1));

            assertThat(hasty.text()).isEqualTo("not compared with the API server: it has said nothing for 1s\n");
            assertThat(hasty.tree().json())
                    .isEqualTo("{\"error\":\"not compared with the API server: it has said nothing for 1s\"}");
        }
    }

    private Path kubeconfig(ServerSocket server) throws IOException {
        return Files.writeString(folder.resolve("config"), """
            current-context: here
            clusters: [{name: c, cluster: {server: "http://127.0.0.1:%d"}}]
            contexts: [{name: here, context: {cluster: c}}]
            """.formatted(server.getLocalPort()));
    }

    @Test
    void theServerIsAskedWithLittlePatience() {
        assertThat(comparison.text()).startsWith("nodes: ");

        assertThat(server.calls())
                .filteredOn(call -> !call.path().contains("watch"))
                .hasSize(2)
                .allSatisfy(call ->
                        assertThat(call.limits().map(ApiCall.Limits::silence)).contains(Duration.ofSeconds(10)));
    }

    @Test
    void anEngineThatHasEndedIsNotWaitedFor() {
        scheduler.fail();

        assertThatThrownBy(comparison::text).hasMessage("the engine does not answer");
    }

    private void nodes(String... names) {
        for (String name : names) {
            scheduler.put(NodeBuilder.node(name).build());
        }
    }

    private void placed(String name, String node) {
        scheduler.put(pod(name).nodeName(node).build());
    }

    private static PodBuilder pod(String name) {
        return PodBuilder.pod(name).uid(name + "-1");
    }
}
