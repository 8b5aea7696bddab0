package io.evenkeel.kube.client.http2;

import static io.evenkeel.kube.client.http2.TestConnectors.get;
import static io.evenkeel.kube.client.http2.TestConnectors.post;
import static io.evenkeel.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.evenkeel.kube.client.http2.MultiplexedCalls.CallEnd;
import io.evenkeel.kube.client.http2.MultiplexedCalls.CallEnd.Reply;
import io.evenkeel.kube.client.http2.MultiplexedCalls.Request;
import io.evenkeel.testing.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import okhttp3.Headers;
import okhttp3.Protocol;
import okio.Buffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Against OkHttp's server, over TLS. */
class MultiplexedCallsTest {
    private final List<RecordedRequest> requests = new CopyOnWriteArrayList<>();
    private final CountDownLatch goesOn = new CountDownLatch(1);
    private MockWebServer server = new MockWebServer();
    private MultiplexedCalls calls;

    @BeforeEach
    void serve() throws IOException {
        start(server, 0);
        calls = new MultiplexedCalls(TestConnectors.to("127.0.0.1", server.getPort(), Patience.LIMIT));
    }

    private void start(MockWebServer starting, int port) throws IOException {
        starting.useHttps(TestConnectors.CERTIFICATE.sslContext().getSocketFactory());
        starting.setDispatcher(new Dispatcher() {
            @Override
            public MockResponse dispatch(RecordedRequest request) throws InterruptedException {
                requests.add(request);
                return answer(request);
            }
        });
        starting.start(InetAddress.ofLiteral("127.0.0.1"), port);
    }

    private MockResponse answer(RecordedRequest request) throws InterruptedException {
        MockResponse.Builder answer = new MockResponse.Builder().code(200).addHeader("content-type", "text/plain");
        return switch (request.getTarget()) {
            case "/large" ->
                answer.body(new Buffer().write(random(3_000_000, 7))).build();
            case "/held" -> {
                goesOn.await();
                yield answer.build();
            }
            case "/busy" ->
                answer.code(429).addHeader("Retry-After", "3").body("slow down").build();
            case "/interim" ->
                answer.add100Continue()
                        .body("with trailers")
                        .trailers(Headers.of("x-checked", "yes"))
                        .build();
            default ->
                answer.body(new Buffer()
                                .write(request.getTarget().getBytes(StandardCharsets.US_ASCII))
                                .write(request.getBody() == null ? okio.ByteString.EMPTY : request.getBody()))
                        .build();
        };
    }

    @AfterEach
    void stop() {
        goesOn.countDown();
        calls.close();
        server.close();
        TestConnectors.awaitNoThreads();
    }

    private static byte[] random(int bytes, int seed) {
        byte[] body = new byte[bytes];
        new Random(seed).nextBytes(body);
        return body;
    }

    private String ask(Request request) throws IOException {
        return new String(calls.call(request).orElseThrow().body(), StandardCharsets.US_ASCII);
    }

    @Test
    void manyCallsAtATimeEachGetTheirOwnAnswerOverOneConnection() throws Exception {
        ask(get("/first"));
        Map<String, String> got = new ConcurrentHashMap<>();
        List<Thread> threads = new ArrayList<>();
        for (int thread = 0; thread < 20; thread++) {
            String name = "/waited-for/" + thread + "/";
            threads.add(Thread.ofVirtual().start(() -> {
                try {
                    for (int i = 0; i < 20; i++) {
                        got.put(name + i, ask(get(name + i)));
                    }
                } catch (IOException failed) {
                    got.put(name, failed.toString());
                }
            }));
        }
        List<CompletableFuture<CallEnd>> ends = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            CompletableFuture<CallEnd> end = new CompletableFuture<>();
            ends.add(end);
            assertThat(calls.begin(
                            post("/begun", Integer.toString(i).getBytes(StandardCharsets.US_ASCII)), end::complete))
                    .isTrue();
        }
        for (int i = 0; i < ends.size(); i++) {
            assertThat(((CallEnd.Answered) ends.get(i).get()).reply().body())
                    .asString(StandardCharsets.US_ASCII)
                    .isEqualTo("/begun" + i);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(got)
                .hasSize(400)
                .allSatisfy((asked, answered) -> assertThat(answered).isEqualTo(asked));
        assertThat(requests).hasSize(1_001).allMatch(request -> request.getConnectionIndex() == 0);
    }

    /** Past the windows of both sides. */
    @Test
    void largeBodiesGoBothWays() throws Exception {
        assertThat(calls.call(get("/large")).orElseThrow().body()).isEqualTo(random(3_000_000, 7));

        List<Thread> threads = new ArrayList<>();
        List<Boolean> same = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 8; i++) {
            byte[] body = random(200_000 + i, i);
            threads.add(Thread.ofVirtual().start(() -> {
                try {
                    byte[] echo = calls.call(post("/e", body)).orElseThrow().body();
                    same.add(Arrays.equals(Arrays.copyOfRange(echo, 2, echo.length), body));
                } catch (IOException failed) {
                    same.add(false);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(same).hasSize(8).containsOnly(true);
    }

    @Test
    void anAnswerIsItsCodeItsHeadersAndItsBody() throws IOException {
        Reply busy = calls.call(get("/busy")).orElseThrow();
        assertThat(busy.code()).isEqualTo(429);
        assertThat(busy.header("retry-after")).contains("3");
        assertThat(busy.header("content-type")).contains("text/plain");
        assertThat(busy.header("location")).isEmpty();
        assertThat(busy.body()).asString(StandardCharsets.US_ASCII).isEqualTo("slow down");

        assertThat(ask(get("/interim"))).isEqualTo("with trailers");
    }

    @Test
    void aServerThatIsStartedAgainIsFoundAgain() throws IOException {
        int port = server.getPort();
        server.close();
        server = new MockWebServer();
        start(server, port); // which it has not chosen by itself: such a one cannot be taken again at once
        ask(get("/before"));
        server.close();
        TestConnectors.awaitNoThreads();
        assertThat(calls.begin(get("/meanwhile"), _ -> {})).isFalse();
        assertThatThrownBy(() -> ask(get("/meanwhile"))).isInstanceOf(IOException.class);

        server = new MockWebServer();
        start(server, port);

        assertThat(ask(get("/after"))).isEqualTo("/after");
        assertThat(requests).extracting(RecordedRequest::getTarget).containsExactly("/before", "/after");
    }

    @Test
    void aServerWithoutHttp2IsNotAskedInThisWay() throws IOException {
        int port = server.getPort();
        server.close();
        server = new MockWebServer();
        server.setProtocols(List.of(Protocol.HTTP_1_1));
        start(server, port);

        assertThat(calls.call(get("/a"))).isEmpty();
        assertThat(calls.begin(get("/a"), _ -> {})).isFalse();
        server.close();
        assertThat(calls.call(get("/a"))).as("known, without another look").isEmpty();
        assertThat(requests).isEmpty();
    }

    @Test
    void whatIsUnderwayIsSeenThroughByWhoRetires() throws Exception {
        ask(get("/first"));
        CompletableFuture<CallEnd> held = new CompletableFuture<>();
        assertThat(calls.begin(get("/held"), held::complete)).isTrue();
        await().until(() -> requests.size() == 2);

        calls.retire();
        assertThat(calls.begin(get("/late"), _ -> {})).isFalse();
        assertThat(held).isNotDone();
        goesOn.countDown();

        assertThat(held.get()).isInstanceOf(CallEnd.Answered.class);
        TestConnectors.awaitNoThreads();
        assertThat(ask(get("/last"))).as("on a connection of its own").isEqualTo("/last");
        TestConnectors.awaitNoThreads();
    }

    @Test
    void whatIsUnderwayEndsWithWhoCloses() throws Exception {
        ask(get("/first"));
        CompletableFuture<CallEnd> held = new CompletableFuture<>();
        assertThat(calls.begin(get("/held"), held::complete)).isTrue();

        calls.close();

        assertThat(held.get())
                .isInstanceOfSatisfying(
                        CallEnd.Failed.class, failed -> assertThat(failed.why()).hasMessage("the client is closed"));
        TestConnectors.awaitNoThreads();
    }

    @Test
    void anAddressOfVersion6IsInBracketsWhereTheServerReadsIt() throws IOException {
        InetAddress loopback = InetAddress.ofLiteral("::1");
        assumeTrue(loopback.isReachable(1_000));
        MockWebServer other = new MockWebServer();
        other.useHttps(TestConnectors.CERTIFICATE.sslContext().getSocketFactory());
        other.enqueue(new MockResponse.Builder().code(204).build());
        try (other) {
            other.start(loopback, 0);
            MultiplexedCalls there = new MultiplexedCalls(TestConnectors.to("::1", other.getPort(), Patience.LIMIT));
            assertThat(there.call(get("/a")).orElseThrow().code()).isEqualTo(204);
            there.close();
            assertThat(other.takeRequest().getUrl()).hasToString("https://[::1]:" + other.getPort() + "/a");
        } catch (InterruptedException stop) {
            throw new AssertionError(stop);
        }
    }
}
