package io.evenkeel.kube.client;

import static io.evenkeel.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.hollow.Faults.HeldRequests;
import io.evenkeel.hollow.Faults.RequestMatch;
import io.evenkeel.hollow.HollowCluster;
import io.evenkeel.hollow.RequestLog.LoggedRequest;
import io.evenkeel.kube.api.Answered;
import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport.ResponseHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import okhttp3.ConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls over HTTP/2 to a server by another hand, which has its own idea of windows, streams and ends. */
class HollowServerTest {
    private static final String NAMESPACES = "/api/v1/namespaces";
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
    private static final RequestMatch CREATION = new RequestMatch("create", "namespaces");
    private static final RequestMatch LIST = new RequestMatch("list", "nodes");
    private static final int ALLOWED_AT_A_TIME = 250;

    @TempDir
    Path folder;

    private final HollowCluster cluster = HollowCluster.start();
    private HttpTransport transport;

    /** The ends of begun calls. */
    private static final class Told implements ResponseHandler {
        private final List<Integer> codes = new CopyOnWriteArrayList<>();
        private final List<String> failures = new CopyOnWriteArrayList<>();

        @Override
        public void answered(Answered answer) {
            codes.add(answer.code());
        }

        @Override
        public void unanswered(IOException why) {
            failures.add(String.valueOf(why.getMessage()));
        }
    }

    @BeforeEach
    void connect() throws IOException {
        Path kubeconfig = cluster.writeKubeconfig(folder.resolve("config"));
        transport = HttpTransport.open(ConnectionOptions.of(Optional.of(kubeconfig)), "1", ApiObserver.NONE);
        assertThat(code(ApiCall.get("/version"))).isEqualTo(200);
        cluster.requestLog().clear();
    }

    @AfterEach
    void close() {
        transport.close();
        cluster.close();
    }

    private int code(ApiCall call) throws IOException {
        try (ApiAnswer answer = transport.call(call)) {
            return answer.code();
        }
    }

    private static ApiCall creation(String name) {
        return ApiCall.send("POST", NAMESPACES, "application/json", "{\"metadata\":{\"name\":\"" + name + "\"}}");
    }

    private Told begun(ApiCall call) {
        Told told = new Told();
        assertThat(transport.begin(call, told)).isTrue();
        return told;
    }

    /** Begun where nothing is done for it yet. */
    private Told held(HeldRequests held) {
        Told told = begun(ApiCall.get("/api/v1/nodes"));
        await().until(() -> held.waiting() == 1);
        return told;
    }

    @Test
    void aThousandCallsShareAConnection() {
        HeldRequests held = cluster.faults().hold(CREATION);
        Told told = new Told();
        for (int i = 0; i < 1_000; i++) {
            assertThat(transport.begin(creation("n" + i), told)).isTrue();
        }
        await().until(() -> held.waiting() == ALLOWED_AT_A_TIME);
        held.letOn();

        await().until(() -> told.codes.size() + told.failures.size() == 1_000);
        assertThat(told.failures).isEmpty();
        assertThat(told.codes).isEqualTo(Collections.nCopies(1_000, 201));
        assertThat(cluster.requestLog().requests())
                .hasSize(1_000)
                .extracting(LoggedRequest::protocol)
                .containsOnly("HTTP/2.0");
    }

    @Test
    void largeBodiesComeAndGo() throws IOException {
        String large = "x".repeat(3 << 20);
        ApiCall creation = ApiCall.send(
                "POST",
                CONFIG_MAPS,
                "application/json",
                "{\"metadata\":{\"name\":\"large\"},\"data\":{\"key\":\"" + large + "\"}}");
        for (int i = 0; i < 3; i++) {
            assertThat(code(creation)).isEqualTo(i == 0 ? 201 : 409);
            try (ApiAnswer answer = transport.call(ApiCall.get(CONFIG_MAPS + "/large"))) {
                assertThat(new String(answer.body().readAllBytes(), StandardCharsets.UTF_8))
                        .contains(large);
            }
        }
    }

    @Test
    void aCallThatIsBrokenOffLeavesTheOthersAlone() throws IOException {
        HeldRequests held = cluster.faults().hold(LIST);
        Told other = held(held);
        cluster.faults().dropNextAnswers(1, CREATION);
        Told broken = begun(creation("done"));

        await().until(() -> !broken.failures.isEmpty());
        assertThat(broken.failures).containsExactly("the server has broken off the call, with HTTP/2 error 8");
        assertThat(other.failures).isEmpty();
        held.letOn();
        await().until(() -> !other.codes.isEmpty());
        assertThat(other.codes).containsExactly(200);
        assertThat(code(ApiCall.get(NAMESPACES + "/done"))).isEqualTo(200);
    }

    @Test
    void aConnectionThatBreaksEndsAllThatIsUnderwayAndNoneIsMadeTwice() throws IOException {
        HeldRequests held = cluster.faults().hold(LIST);
        Told other = held(held);
        cluster.faults().breakNextConnections(1, CREATION);
        Told broken = begun(creation("done"));

        await().until(() -> !broken.failures.isEmpty() && !other.failures.isEmpty());
        held.letOn();
        assertThat(transport.begin(ApiCall.get("/version"), other)).isFalse();
        assertThat(code(ApiCall.get(NAMESPACES + "/done"))).isEqualTo(200);
        assertThat(cluster.requestLog().requests())
                .filteredOn(request -> request.attributes().verb().equals("create"))
                .hasSize(1);
        Told again = begun(ApiCall.get("/version"));
        await().until(() -> !again.codes.isEmpty());
    }

    @Test
    void aServerThatStopsLeavesNobodyWaitingAndIsFoundAgain() throws IOException {
        Told underway = held(cluster.faults().hold(LIST));
        cluster.stopServer();

        await().until(() -> !underway.failures.isEmpty());
        assertThatThrownBy(() -> code(ApiCall.get("/version"))).isInstanceOf(IOException.class);
        cluster.restartServer();
        assertThat(code(ApiCall.get("/version"))).isEqualTo(200);
    }

    @Test
    void theFirstStreamFindsTheConnectionThatWasMadeAhead() throws IOException {
        ConnectionPool streams = transport.clients().streams().connectionPool();
        assertThat(streams.connectionCount()).isZero();
        transport.connectAhead();
        await().until(() -> streams.idleConnectionCount() == 1);

        try (ApiAnswer answer = transport.stream(ApiCall.get(NAMESPACES))) {
            assertThat(answer.code()).isEqualTo(200);
            assertThat(streams.idleConnectionCount()).isZero();
        }
        assertThat(streams.connectionCount()).isEqualTo(1);
    }

    /** The one that has a connection for watches and lists. */
    @Test
    void theOtherClientSpeaksItToo() throws IOException {
        try (ApiAnswer answer = transport.stream(ApiCall.get("/api/v1/nodes"))) {
            assertThat(answer.code()).isEqualTo(200);
        }
        assertThat(cluster.requestLog().requests())
                .extracting(LoggedRequest::protocol)
                .containsExactly("HTTP/2.0");
    }
}
