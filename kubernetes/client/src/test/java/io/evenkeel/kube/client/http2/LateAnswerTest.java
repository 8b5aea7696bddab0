package io.evenkeel.kube.client.http2;

import static io.evenkeel.kube.client.http2.ServerFrames.answer;
import static io.evenkeel.kube.client.http2.ServerFrames.setting;
import static io.evenkeel.kube.client.http2.ServerFrames.windowUpdate;
import static io.evenkeel.kube.client.http2.TestConnectors.begun;
import static io.evenkeel.kube.client.http2.TestConnectors.code;
import static io.evenkeel.kube.client.http2.TestConnectors.get;
import static io.evenkeel.kube.client.http2.TestConnectors.post;
import static io.evenkeel.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.kube.client.http2.MultiplexedCalls.CallEnd;
import io.evenkeel.testing.Patience;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of calls that are not answered in time, or not waited for any more. */
class LateAnswerTest {
    private static final Duration MOMENT = Duration.ofMillis(400);

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
    void aServerThatFallsSilentCostsOneTimeLimit() throws Exception {
        Patience.withEverMoreTime(MOMENT, limit -> {
            serve((client, connection) -> {
                client.send(answer(client.next().stream(), 200));
                if (connection > 0) {
                    client.answerAll();
                }
            });
            MultiplexedCalls calls = server.calls(limit);
            calls.call(get("/first"));

            assertThatThrownBy(() -> calls.call(get("/a")))
                    .isInstanceOf(SocketTimeoutException.class)
                    .hasMessage("no answer within %d s", limit.toSeconds());
            assertThat(calls.begin(get("/b"), _ -> {})).isFalse();
            assertThat(code(calls, "/c").get()).isEqualTo(200);
        });
    }

    /** The next call, whoever makes it, gets another connection. */
    @Test
    void whoWaitsForLessLongLeavesAServerThatFellSilent() throws Exception {
        Patience.withEverMoreTime(MOMENT, limit -> {
            serve((client, connection) -> {
                client.send(answer(client.next().stream(), 200));
                if (connection > 0) {
                    client.answerAll();
                }
            });
            MultiplexedCalls calls = server.calls(Patience.LIMIT.multipliedBy(2));
            assertThat(calls.callAtHand(get("/none"), limit.toNanos())).isEmpty();
            calls.call(get("/first"));

            assertThatThrownBy(() -> calls.callAtHand(get("/a"), limit.toNanos()))
                    .isInstanceOf(SocketTimeoutException.class)
                    .hasMessage("no answer within %d ms", limit.toMillis());
            assertThat(calls.callAtHand(get("/b"), limit.toNanos())).isEmpty();
            assertThat(code(calls, "/c").get()).isEqualTo(200);
            assertThat(calls.callAtHand(get("/d"), Patience.LIMIT.toNanos())
                            .orElseThrow()
                            .code())
                    .isEqualTo(200);
        });
    }

    @Test
    void callsThatNobodyWaitsForEndInTimeToo() throws Exception {
        Patience.withEverMoreTime(MOMENT, limit -> {
            serve((client, _) -> client.send(answer(client.next().stream(), 200)));
            MultiplexedCalls calls = server.calls(limit);
            calls.call(get("/a"));

            assertThat(begun(calls, get("/b")).get())
                    .isInstanceOfSatisfying(
                            CallEnd.Failed.class,
                            failed -> assertThat(failed.why()).isInstanceOf(SocketTimeoutException.class));
        });
    }

    /** The one that is late is taken back, and the others stay where they are. */
    @Test
    void oneLateAnswerDoesNotCostTheConnection() throws Exception {
        Patience.withEverMoreTime(MOMENT, limit -> {
            serve((client, _) -> {
                client.next();
                client.answerAll();
            });
            MultiplexedCalls calls = server.calls(limit);
            CompletableFuture<Integer> late = code(calls, "/late");
            await().until(() -> !server.heard().isEmpty());
            while (!late.isDone()) {
                calls.call(get("/others"));
            }
            assertThat(late).isCompletedExceptionally();
            calls.call(get("/others"));

            assertThat(server.connections()).isEqualTo(1);
            assertThat(server.takenBack()).containsExactly("1 with " + Frame.CANCEL);
        });
    }

    @Test
    void whoWaitsCanBeInterrupted() throws Exception {
        serve((_, _) -> {});
        MultiplexedCalls calls = server.calls(Patience.LIMIT.multipliedBy(2));
        CompletableFuture<String> end = new CompletableFuture<>();
        Thread waiting = Thread.ofVirtual().start(() -> {
            try {
                calls.call(get("/a"));
            } catch (IOException stopped) {
                end.complete(stopped + " " + Thread.currentThread().isInterrupted());
            }
        });
        await().until(() -> !server.heard().isEmpty());

        waiting.interrupt();

        assertThat(end.get()).isEqualTo("java.io.InterruptedIOException: interrupted true");
    }

    /** It still says something, so it is not dead; but what is not written cannot be answered. */
    @Test
    void aServerThatReadsNothingIsLeft() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        serve((client, connection) -> {
            if (connection > 0) {
                client.answerAll();
            }
            client.send(setting(Frame.INITIAL_WINDOW_SIZE, 1 << 30), windowUpdate(0, 1 << 30));
            client.next();
            client.send(ServerFrames.frame(Frame.PING, 0, 0, new byte[8]));
            over.await();
        });
        MultiplexedCalls calls = server.calls(Duration.ofSeconds(3));

        assertThatThrownBy(() -> calls.call(post("/a", new byte[48 << 20]))).isInstanceOf(SocketTimeoutException.class);
        TestConnectors.awaitNoThreads();

        assertThat(code(calls, "/b").get()).isEqualTo(200);
        over.countDown();
    }
}
