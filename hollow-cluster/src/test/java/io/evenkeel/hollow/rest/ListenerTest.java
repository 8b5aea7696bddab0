package io.evenkeel.hollow.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class ListenerTest {
    private static final int STOPS = Integer.getInteger("evenkeel.rounds", 1_000);
    private static final int CLIENTS = 8;
    private static final byte[] REQUEST =
            "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    @Test
    void aClientThatConnectsWhileItStopsIsAnsweredOrCutOff() throws Exception {
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int stop = 0; stop < STOPS; stop++) {
                Listener listener = Listener.open(0, Optional.empty(), exchange -> {
                    exchange.sendResponseHeaders(204, -1);
                    exchange.close();
                });
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

    /** Whether anything comes back: an answer, the end of the connection, or none at all in the first place. */
    private static boolean hears(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(60_000);
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
