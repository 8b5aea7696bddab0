package io.evenkeel.hollow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkeel.hollow.Faults.HeldRequests;
import io.evenkeel.hollow.Faults.RequestMatch;
import io.evenkeel.hollow.RequestLog.LoggedRequest;
import io.evenkeel.rotation.Rotated;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP/2 and HTTP/1.1, as a real API server speaks both. */
@Rotated(3)
class ProtocolsTest {
    private static final String NODES = "/api/v1/nodes";
    private static final String NAMESPACES = "/api/v1/namespaces";
    private static final RequestMatch CREATION = new RequestMatch("create", "namespaces");
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final HollowCluster cluster = HollowCluster.start();
    private final Map<Version, HttpClient> clients = Map.of(
            Version.HTTP_1_1, client(Version.HTTP_1_1),
            Version.HTTP_2, client(Version.HTTP_2));

    @AfterEach
    void close() {
        clients.values().forEach(HttpClient::shutdownNow);
        cluster.close();
    }

    private HttpClient client(Version version) {
        return HttpClient.newBuilder()
                .version(version)
                .sslContext(cluster.sslContext().orElseThrow())
                .build();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(cluster.url() + path))
                .header("Authorization", "Bearer " + cluster.adminToken());
    }

    private HttpRequest creation(String name) {
        return request(NAMESPACES)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"metadata\":{\"name\":\"" + name + "\"}}"))
                .build();
    }

    private CompletableFuture<HttpResponse<String>> begin(Version version, HttpRequest request) {
        return clients.get(version).sendAsync(request, BodyHandlers.ofString());
    }

    private HttpResponse<String> send(Version version, HttpRequest request) throws IOException, InterruptedException {
        return clients.get(version).send(request, BodyHandlers.ofString());
    }

    @ParameterizedTest
    @CsvSource({"'h2,http/1.1', h2", "'http/1.1,h2', h2", "h2, h2", "http/1.1, http/1.1", "'', ''"})
    void whatIsSpokenIsAgreedOn(String offered, String agreed) throws IOException {
        URI url = URI.create(cluster.url());
        try (SSLSocket socket = (SSLSocket)
                cluster.sslContext().orElseThrow().getSocketFactory().createSocket(url.getHost(), url.getPort())) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(offered.isEmpty() ? new String[0] : offered.split(","));
            socket.setSSLParameters(parameters);
            socket.startHandshake();

            assertThat(socket.getApplicationProtocol()).isEqualTo(agreed);
        }
    }

    @Test
    void withoutTlsItIsHttp1() throws Exception {
        try (HollowCluster plain = HollowCluster.start(HollowOptions.DEFAULT.plainHttp())) {
            HttpResponse<String> answer = send(
                    Version.HTTP_2,
                    HttpRequest.newBuilder(URI.create(plain.url() + "/healthz")).build());

            assertThat(answer.version()).isEqualTo(Version.HTTP_1_1);
            assertThat(answer.body()).isEqualTo("ok");
        }
    }

    /** Whatever a path has in it, the one who answers sees it as it was sent. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/healthz",
                "/version",
                NODES,
                "/api//v1/nodes/",
                "/api/v1/nodes/a%2Fb",
                "/api/v1/nodes/a%252Fb",
                "/api/v1/nodes/a;b",
                "/api/v1/nodes/a%20b",
                "/api/v1/nodes/a+b",
                "/api/v1/nodes/..",
                "/api/v1/nodes/%2e%2e/pods",
                "/api/v1/nodes/./x",
                "/api/v1/nodes/%ff%fe",
                "/api/v1/nodes/@x:y",
                "/api/v1/nodes?labelSelector=a%3Db,c",
                "/api/v1/nodes?labelSelector=a%26b",
                "/api/v1/nosuch",
                "/api/v1/nodes?limit=x",
                "/api/v1/nodes?watch=1&timeoutSeconds=1&resourceVersion=7x"
            })
    void bothGetTheSameAnswer(String path) throws Exception {
        cluster.requestLog().clear();
        HttpRequest request = request(path).build();
        HttpResponse<String> one = send(Version.HTTP_1_1, request);
        HttpResponse<String> other = send(Version.HTTP_2, request);

        assertThat(one.version()).isEqualTo(Version.HTTP_1_1);
        assertThat(other.version()).isEqualTo(Version.HTTP_2);
        assertThat(other.statusCode()).isEqualTo(one.statusCode());
        assertThat(other.body()).isEqualTo(one.body());
        assertThat(headers(other)).isEqualTo(headers(one)).containsOnlyKeys("content-type", "cache-control", "date");
        assertThat(cluster.requestLog().requests())
                .filteredOn(logged -> !path.equals("/healthz"))
                .extracting(LoggedRequest::path)
                .allMatch(path::equals);
    }

    /** Without how long the body is, which one of them says by itself, and when it was sent. */
    private static Map<String, List<String>> headers(HttpResponse<String> answer) {
        Map<String, List<String>> headers = new TreeMap<>(answer.headers().map());
        headers.keySet().removeAll(List.of(":status", "content-length", "transfer-encoding"));
        headers.replace("date", List.of());
        return headers;
    }

    @ParameterizedTest
    @EnumSource
    void theLogSaysWhatWasSpoken(Version version) throws Exception {
        cluster.requestLog().clear();
        assertThat(send(version, creation("made")).statusCode()).isEqualTo(201);

        assertThat(cluster.requestLog().requests())
                .extracting(LoggedRequest::protocol)
                .containsExactly(version == Version.HTTP_2 ? "HTTP/2.0" : "HTTP/1.1");
    }

    /** Of more than any window lets through at once. */
    @ParameterizedTest
    @EnumSource
    void largeBodiesComeAndGo(Version version) throws Exception {
        String large = "x".repeat(4 << 20);
        HttpResponse<String> made = send(
                version,
                request("/api/v1/namespaces/default/configmaps")
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(
                                "{\"metadata\":{\"name\":\"large\"},\"data\":{\"key\":\"" + large + "\"}}"))
                        .build());
        assertThat(made.statusCode()).isEqualTo(201);

        assertThat(send(version, request("/api/v1/configmaps").build()).body())
                .contains(large)
                .endsWith("]}\n");
    }

    @ParameterizedTest
    @EnumSource
    void eachEventOfAWatchComesAtOnceAndItsEndIsSeen(Version version) throws Exception {
        HttpRequest watch = request(NAMESPACES + "?watch=1&resourceVersion=" + cluster.version())
                .build();
        HttpResponse<Stream<String>> answer = clients.get(version).send(watch, BodyHandlers.ofLines());
        try (Stream<String> lines = answer.body()) {
            Iterator<String> events = lines.iterator();
            for (String name : List.of("a", "b", "c")) {
                send(version, creation(name));
                assertThat(events.next()).contains("\"name\":\"" + name + "\"");
            }
            cluster.closeWatches();
            assertThat(events.hasNext()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void manyCallsAreUnderwayAtATime(Version version) {
        List<CompletableFuture<HttpResponse<String>>> made = new ArrayList<>();
        HeldRequests held = cluster.faults().hold(CREATION);
        IntStream.range(0, 200).forEach(i -> made.add(begin(version, creation("held-" + i))));
        await().atMost(PATIENCE).until(() -> held.waiting() == 200);
        held.letOn();

        assertThat(made.stream().map(CompletableFuture::join)).allMatch(answer -> answer.statusCode() == 201);
    }

    /** As clients do that look at the first events of a watch, and at what a ping brings back. */
    @Test
    void aClientMayGiveUpAsManyCallsAsItLikes() throws Exception {
        HttpRequest watch =
                request(NODES + "?watch=1&resourceVersion=" + cluster.version()).build();
        HttpResponse<Stream<String>> canary = clients.get(Version.HTTP_2).send(watch, BodyHandlers.ofLines());
        for (int i = 0; i < 1_000; i++) {
            clients.get(Version.HTTP_2)
                    .send(request(NODES + "?watch=1").build(), BodyHandlers.ofInputStream())
                    .body()
                    .close();
        }
        cluster.objects().create("{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n\"}}");
        try (Stream<String> lines = canary.body()) {
            assertThat(lines.iterator().next()).contains("\"name\":\"n\"");
        }
    }

    /** A call that is broken off leaves the others on its connection alone, as on a real server. */
    @ParameterizedTest
    @EnumSource
    void oneCallIsBrokenOffAndAnotherGoesOn(Version version) throws Exception {
        send(version, request("/version").build()); // now there is a connection to share
        HeldRequests held = cluster.faults().hold(new RequestMatch("list", "nodes"));
        CompletableFuture<HttpResponse<String>> other =
                begin(version, request(NODES).build());
        await().atMost(PATIENCE).until(() -> held.waiting() == 1);
        cluster.faults().dropNextAnswers(1, CREATION);
        cluster.faults().dropNextRequests(1, CREATION);

        assertThatThrownBy(() -> send(version, creation("done"))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> send(version, creation("undone"))).isInstanceOf(IOException.class);
        held.letOn();
        assertThat(other.join().statusCode()).isEqualTo(200);
        assertThat(send(version, request(NAMESPACES + "/done").build()).statusCode())
                .isEqualTo(200);
        assertThat(send(version, request(NAMESPACES + "/undone").build()).statusCode())
                .isEqualTo(404);
    }

    @Test
    void aBrokenConnectionTakesAlongWhatIsUnderwayOnIt() throws Exception {
        send(Version.HTTP_2, request("/version").build());
        HeldRequests held = cluster.faults().hold(new RequestMatch("list", "nodes"));
        CompletableFuture<HttpResponse<String>> other =
                begin(Version.HTTP_2, request(NODES).build());
        await().atMost(PATIENCE).until(() -> held.waiting() == 1);
        cluster.faults().breakNextConnections(1, CREATION);

        assertThatThrownBy(() -> send(Version.HTTP_2, creation("done"))).isInstanceOf(IOException.class);
        assertThatThrownBy(other::join).isInstanceOf(CompletionException.class).hasCauseInstanceOf(IOException.class);
        held.letOn();
        assertThat(send(Version.HTTP_2, request(NAMESPACES + "/done").build()).statusCode())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource
    void whoStopsLeavesNobodyWaiting(Version version) throws Exception {
        HeldRequests held = cluster.faults().hold(CREATION);
        CompletableFuture<HttpResponse<String>> waiting = begin(version, creation("never"));
        CompletableFuture<HttpResponse<String>> watching =
                begin(version, request(NODES + "?watch=1").build());
        await().atMost(PATIENCE).until(() -> held.waiting() == 1 && cluster.openWatches() == 1);
        cluster.stopServer();

        assertThatThrownBy(waiting::join).hasCauseInstanceOf(IOException.class);
        await().atMost(PATIENCE).until(() -> watching.isDone() && cluster.openWatches() == 0);
        assertThatThrownBy(() -> send(version, request("/version").build())).isInstanceOf(ConnectException.class);
        cluster.restartServer();
        assertThat(send(version, request("/version").build()).statusCode()).isEqualTo(200);
    }
}
