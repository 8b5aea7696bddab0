package io.evenkeel.hollow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkeel.hollow.Listener.Outcome;
import io.evenkeel.rotation.Rotated;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ListenerTest {
    private static final int STOPS = Integer.getInteger("evenkeel.rounds", 400);
    private static final int CLIENTS = 8;
    private static final byte[] REQUEST =
            "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    @Rotated(3)
    @Test
    void aClientThatConnectsWhileItStopsIsAnsweredOrCutOff() throws Exception {
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int stop = 0; stop < STOPS; stop++) {
                Listener listener = Listener.open(0, Optional.empty(), _ -> new Outcome.Answered(ApiReply.text("ok")));
                int port = listener.port();
                CountDownLatch connecting = new CountDownLatch(1);
                List<Future<Boolean>> heard = new ArrayList<>();
                for (int client = 0; client < CLIENTS; client++) {
                    heard.add(clients.submit(() -> {
                        connecting.countDown();
                        return hears(port);
                    }));
                }
                connecting.await();
                listener.close();

                for (Future<Boolean> client : heard) {
                    assertThat(client.get()).as("stop %d", stop).isTrue();
                }
            }
        }
    }

    /** Jetty alone would wait for the end of these answers, and they for Jetty: about once in two thousand rounds. */
    @Rotated(3)
    @Test
    void answersThatEndWhileItStopsDoNotHoldItUp() throws Exception {
        for (int stop = 0; stop < STOPS; stop++) {
            CountDownLatch ending = new CountDownLatch(1);
            Listener listener = Listener.open(
                    0,
                    Optional.empty(),
                    _ -> new Outcome.Answered(ApiReply.stream("text/plain", out -> {
                        out.write('a');
                        out.flush();
                        ending.await();
                    })));
            List<Socket> clients = new ArrayList<>();
            for (int client = 0; client < CLIENTS; client++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.port());
                clients.add(socket);
                socket.getOutputStream().write(REQUEST);
            }
            for (Socket socket : clients) {
                socket.getInputStream().read();
            }
            ending.countDown();
            listener.close();
            for (Socket socket : clients) {
                socket.close();
            }
        }
    }

    @Test
    void oneThatHasStoppedLeavesNoThread() {
        Set<Thread> before = threads();
        for (int i = 0; i < 20; i++) {
            Listener.open(0, Optional.empty(), _ -> new Outcome.BrokenOff()).close();
        }
        await().atMost(Duration.ofMinutes(10))
                .untilAsserted(() -> assertThat(before).containsAll(threads()));
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("hollow-"))
                .collect(Collectors.toSet());
    }

    @Test
    void aPortThatIsTakenIsSaid() {
        try (Listener first = Listener.open(0, Optional.empty(), _ -> new Outcome.BrokenOff())) {
            assertThatThrownBy(() -> Listener.open(first.port(), Optional.empty(), _ -> new Outcome.BrokenOff()))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessage("cannot listen on port %d: Address already in use", first.port());
        }
    }

    /** Whether anything comes back: an answer, the end of the connection, or none at all in the first place. */
    private static boolean hears(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(600_000);
            socket.getOutputStream().write(REQUEST);
            socket.getInputStream().read();
            return true;
        } catch (SocketTimeoutException nothing) {
            return false;
        } catch (IOException cutOff) {
            return true;
        }
    }
}
