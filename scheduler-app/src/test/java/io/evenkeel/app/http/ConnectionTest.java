package io.evenkeel.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.http.Listener.Connection;
import io.evenkeel.app.http.Listener.Handshakes;
import io.evenkeel.app.http.OpenConnections.Place;
import io.evenkeel.testing.Patience;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ConnectionTest {

    @Test
    void clientsThatNeverPauseLeaveTheProcessorsToOthersToo() throws InterruptedException {
        int processors = Runtime.getRuntime().availableProcessors();
        CountDownLatch served = new CountDownLatch(processors);
        CountDownLatch othersTurn = new CountDownLatch(1);
        try {
            for (int i = 0; i < processors; i++) {
                Thread.ofVirtual().start(() -> serve(new NeverPausing(othersTurn), served));
            }
            assertThat(served.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            Thread.ofVirtual().start(othersTurn::countDown);

            assertThat(othersTurn.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        } finally {
            othersTurn.countDown();
        }
    }

    private static void serve(Socket client, CountDownLatch served) {
        Place place = new Place(InetAddress.getLoopbackAddress(), client, 0);
        try {
            new Connection(
                            client,
                            place,
                            System::nanoTime,
                            exchange -> {
                                exchange.answer(200, Map.of(), new byte[0]);
                                served.countDown();
                            },
                            new Handshakes(1, System::nanoTime))
                    .serve(Optional.empty());
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /** Has always sent the next request already and taken the answer, until the end. */
    private static final class NeverPausing extends Socket {
        private static final byte[] REQUEST = "GET / HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

        private final CountDownLatch end;

        NeverPausing(CountDownLatch end) {
            this.end = end;
        }

        @Override
        public InputStream getInputStream() {
            return new InputStream() {
                private long at;

                @Override
                public int read() {
                    return end.getCount() == 0 ? -1 : REQUEST[(int) (at++ % REQUEST.length)];
                }

                @Override
                public int read(byte[] into, int offset, int length) {
                    int next = read();
                    if (next < 0) {
                        return -1;
                    }
                    into[offset] = (byte) next;
                    return 1;
                }
            };
        }

        @Override
        public OutputStream getOutputStream() {
            return OutputStream.nullOutputStream();
        }
    }
}
