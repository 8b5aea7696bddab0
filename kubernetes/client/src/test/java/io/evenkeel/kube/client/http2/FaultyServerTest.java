package io.evenkeel.kube.client.http2;

import static io.evenkeel.kube.client.http2.ServerFrames.answer;
import static io.evenkeel.kube.client.http2.ServerFrames.data;
import static io.evenkeel.kube.client.http2.ServerFrames.goAway;
import static io.evenkeel.kube.client.http2.ServerFrames.headers;
import static io.evenkeel.kube.client.http2.ServerFrames.reset;
import static io.evenkeel.kube.client.http2.ServerFrames.setting;
import static io.evenkeel.kube.client.http2.TestConnectors.begun;
import static io.evenkeel.kube.client.http2.TestConnectors.code;
import static io.evenkeel.kube.client.http2.TestConnectors.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.kube.client.http2.MultiplexedCalls.CallEnd;
import io.evenkeel.testing.Patience;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of calls where the server does what an API server does on a bad day, or never would. */
class FaultyServerTest {
    private FrameServer server = new FrameServer((_, _) -> {});

    private void serve(FrameServer.Script script) throws IOException {
        server.close();
        server = new FrameServer(script);
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    @Test
    void aServerThatGoesAwayLosesNothing() throws Exception {
        serve((client, connection) -> {
            if (connection > 0) {
                client.answerAll();
            }
            FrameServer.Heard first = client.next();
            FrameServer.Heard second = client.next();
            client.next();
            client.send(goAway(second.stream()), answer(first.stream(), 201));
            client.send(answer(second.stream(), 202));
        });
        MultiplexedCalls calls = server.calls(Patience.LIMIT);
        List<CompletableFuture<Integer>> codes = List.of(code(calls, "/a"), code(calls, "/b"), code(calls, "/c"));

        List<Integer> got = new ArrayList<>();
        for (CompletableFuture<Integer> code : codes) {
            got.add(code.get());
        }
        assertThat(got).containsExactlyInAnyOrder(201, 202, 200);
        assertThat(server.heard()).hasSize(4).contains("/a", "/b", "/c");
        assertThat(server.connections()).isEqualTo(2);
    }

    @Test
    void whatTheServerRefusesIsAskedAgain() throws Exception {
        serve((client, _) -> {
            client.send(reset(client.next().stream(), Frame.REFUSED_STREAM));
            client.answerAll();
        });

        assertThat(code(server.calls(Patience.LIMIT), "/a").get()).isEqualTo(200);
        assertThat(server.heard()).containsExactly("/a", "/a");
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void whatTheServerRefusesIsNotAskedForEver() throws IOException {
        serve((client, _) -> {
            while (true) {
                client.send(reset(client.next().stream(), Frame.REFUSED_STREAM));
            }
        });

        assertThatThrownBy(() -> server.calls(Patience.LIMIT).call(get("/a")))
                .hasMessage("the server has broken off the call, with HTTP/2 error 7");
        assertThat(server.heard()).hasSize(3);
    }

    @Test
    void whatFailsOtherwiseIsNotAskedAgain() throws IOException {
        serve((client, connection) -> {
            FrameServer.Heard heard = client.next();
            if (connection == 0) {
                client.send(reset(heard.stream(), 2));
                client.next();
            }
            client.cut();
        });
        MultiplexedCalls calls = server.calls(Patience.LIMIT);

        assertThatThrownBy(() -> calls.call(get("/broken-off")))
                .hasMessage("the server has broken off the call, with HTTP/2 error 2");
        assertThatThrownBy(() -> calls.call(get("/cut"))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> calls.call(get("/cut-too"))).isInstanceOf(IOException.class);

        assertThat(server.heard()).containsExactly("/broken-off", "/cut", "/cut-too");
    }

    @Test
    void whatIsNoHttp2EndsTheConnection() throws IOException {
        serve((client, _) -> {
            client.next();
            client.send("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        });

        assertThatThrownBy(() -> server.calls(Patience.LIMIT).call(get("/a")))
                .hasMessageEndingWith("is it an HTTP/2 server?");
        TestConnectors.awaitNoThreads();
    }

    /** The half of it that is there says nothing about when the other comes. */
    @Test
    void anAnswerIsToldOfBeforeTheNextIsThereAsAWhole() throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        serve((client, _) -> {
            client.send(answer(client.next().stream(), 200));
            int first = client.next().stream();
            int second = client.next().stream();
            client.send(answer(first, 201), headers(second, 202), new byte[] {0, 0, 2, 0, 1});
            told.await();
            client.send(new byte[] {0, 0, 0, (byte) second, 'o', 'k'});
        });
        MultiplexedCalls calls = server.calls(Patience.LIMIT.multipliedBy(2));
        calls.call(get("/a"));
        CompletableFuture<CallEnd> first = begun(calls, get("/b"));
        CompletableFuture<CallEnd> second = begun(calls, get("/c"));

        assertThat(first.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isInstanceOf(CallEnd.Answered.class);
        assertThat(second).isNotDone();
        told.countDown();
        assertThat(second.get())
                .isInstanceOfSatisfying(
                        CallEnd.Answered.class,
                        answered -> assertThat(answered.reply().body())
                                .asString(StandardCharsets.US_ASCII)
                                .isEqualTo("ok"));
    }

    /** Both are answered in one record. */
    @Test
    void whoThrowsWhenToldKeepsNobodyElseFromBeingTold() throws Exception {
        serve((client, _) -> {
            client.send(answer(client.next().stream(), 200));
            int first = client.next().stream();
            client.send(headers(first, 200), data(first, 1), answer(client.next().stream(), 200));
            client.answerAll();
        });
        MultiplexedCalls calls = server.calls(Patience.LIMIT.multipliedBy(2));
        calls.call(get("/a"));
        CompletableFuture<Throwable> uncaught = new CompletableFuture<>();
        Thread.setDefaultUncaughtExceptionHandler((_, fault) -> uncaught.complete(fault));
        try {
            calls.begin(get("/b"), _ -> {
                throw new IllegalStateException("bug");
            });
            assertThat(begun(calls, get("/c")).get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isInstanceOf(CallEnd.Answered.class);
            assertThat(uncaught.get()).hasMessage("bug");
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(null);
        }
        assertThat(code(calls, "/d").get()).isEqualTo(200);
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void callsQueueForTheStreamsThatAServerAllows() throws Exception {
        serve((client, _) -> {
            client.send(setting(Frame.MAX_CONCURRENT_STREAMS, 1));
            client.answerAll();
        });
        MultiplexedCalls calls = server.calls(Patience.LIMIT);
        List<CompletableFuture<Integer>> codes = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            codes.add(code(calls, "/" + i));
        }
        for (CompletableFuture<Integer> code : codes) {
            assertThat(code.get()).isEqualTo(200);
        }
        assertThat(server.heard()).hasSize(50).doesNotHaveDuplicates();
    }
}
