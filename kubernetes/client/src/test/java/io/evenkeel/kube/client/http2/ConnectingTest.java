package io.evenkeel.kube.client.http2;

import static io.evenkeel.kube.client.http2.TestConnectors.get;
import static io.evenkeel.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.testing.Patience;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.SocketFactory;
import org.junit.jupiter.api.Test;

/** A server that cannot be reached: to find that out takes until the test says so. */
class ConnectingTest {
    private final AtomicInteger tries = new AtomicInteger();
    private final CountDownLatch found = new CountDownLatch(1);
    private final List<String> ends = new CopyOnWriteArrayList<>();
    private final MultiplexedCalls calls =
            new MultiplexedCalls(TestConnectors.to("127.0.0.1", 1, new Unreachable(), Patience.LIMIT));

    private Thread asking() {
        return Thread.ofPlatform().daemon().start(() -> {
            try {
                calls.call(get("/a"));
            } catch (IOException failed) {
                ends.add(failed.getMessage());
            }
        });
    }

    private static void awaitWaiting(Thread thread) {
        await().until(() -> thread.getState() == Thread.State.WAITING);
    }

    @Test
    void allThatWaitForAConnectionShareWhatComesOfIt() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            threads.add(asking());
            awaitWaiting(threads.getLast());
        }
        found.countDown();
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(ends).hasSize(10).containsOnly("nobody there");
        assertThat(tries).hasValue(1);
        asking().join();
        assertThat(tries).as("whoever comes later tries anew").hasValue(2);
    }

    @Test
    void whoWaitsForAnothersConnectionCanBeInterrupted() throws InterruptedException {
        Thread connecting = asking();
        awaitWaiting(connecting);
        Thread waiting = asking();
        awaitWaiting(waiting);

        waiting.interrupt();
        waiting.join();

        assertThat(ends).containsExactly("interrupted");
        found.countDown();
        connecting.join();
    }

    private final class Unreachable extends SocketFactory {
        @Override
        public Socket createSocket() {
            return new Socket() {
                @Override
                public void connect(SocketAddress to, int limit) throws IOException {
                    tries.incrementAndGet();
                    try {
                        found.await();
                    } catch (InterruptedException stop) {
                        Thread.currentThread().interrupt();
                    }
                    throw new ConnectException("nobody there");
                }
            };
        }

        @Override
        public Socket createSocket(String host, int port) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress local, int localPort) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Socket createSocket(InetAddress host, int port) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) {
            throw new UnsupportedOperationException();
        }
    }
}
