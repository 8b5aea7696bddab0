package io.evenkeel.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.evenkeel.app.http.OpenConnections.Limits;
import io.evenkeel.testing.LogLines;
import io.evenkeel.testing.Patience;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** On real sockets, byte by byte. */
class ListenerTest {
    private static final String GET = "GET /path HTTP/1.1\r\nHost: h\r\n";
    private static final Limits PATIENT = new Limits(10, 100, Patience.LIMIT, Patience.LIMIT, Patience.LIMIT);
    private static final Duration AT_ONCE = Duration.ofMillis(1);

    private final List<Socket> sockets = new ArrayList<>();
    private final List<String> died = new CopyOnWriteArrayList<>();
    private final CountDownLatch brokenOff = new CountDownLatch(1);

    @AfterEach
    void closeSockets() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    @Test
    void answersFollowRequestsOnOneConnectionUntilTheClientWantsNoMore() throws IOException {
        try (Listener listener = listen(PATIENT)) {
            Socket socket = connect(listener);
            send(socket, GET + "\r\n" + GET + "Connection: close\r\n\r\n");

            String[] answers = all(socket).split("(?=HTTP/1.1 )", -1);
            assertThat(answers).hasSize(2);
            assertThat(answers[0])
                    .startsWith("HTTP/1.1 200 OK\r\nDate: ")
                    .endsWith("Kind: whole\r\nContent-Length: 9\r\n\r\nGET /path");
            assertThat(answers[1]).endsWith("Kind: whole\r\nConnection: close\r\nContent-Length: 9\r\n\r\nGET /path");
        }
    }

    @Test
    void whatIsMadeAsItIsSentComesInPiecesOrUpToTheEnd() throws IOException {
        try (Listener listener = listen(PATIENT)) {
            Socket modern = connect(listener);
            send(modern, "GET /pieces HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
            assertThat(all(modern)).endsWith("Transfer-Encoding: chunked\r\n\r\n3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n");
            Socket old = connect(listener);
            send(old, "GET /pieces HTTP/1.0\r\n\r\n");
            assertThat(all(old)).endsWith("Connection: close\r\n\r\nonetwo");
        }
    }

    @Test
    void aBodyIsNotReadAndDoesNotCostTheAnswer() throws IOException {
        try (Listener listener = listen(PATIENT)) {
            Socket socket = connect(listener);
            send(socket, "POST /path HTTP/1.1\r\nHost: h\r\nContent-Length: 50000\r\n\r\n" + "x".repeat(50_000));
            assertThat(all(socket)).endsWith("Connection: close\r\nContent-Length: 10\r\n\r\nPOST /path");
        }
    }

    @Test
    void whatIsNoRequestIsToldSo() throws IOException {
        try (Listener listener = listen(PATIENT)) {
            Socket socket = connect(listener);
            send(socket, "\u0016\u0003\u0001 hello\r\n\r\n");
            assertThat(all(socket))
                    .startsWith("HTTP/1.1 400 Bad Request\r\n")
                    .endsWith("\r\n\r\ncontrol character in the request\n");
        }
    }

    @Test
    void whoAsksForNothingIsCutOff() throws IOException {
        try (Listener listener = listen(new Limits(10, 100, AT_ONCE, Patience.LIMIT, Patience.LIMIT))) {
            Socket socket = connect(listener);
            send(socket, "GET /path HTTP/1.1\r\nHo");
            assertThat(isCutOff(socket)).isTrue();
        }
    }

    @Test
    void whoAsksForNothingMoreIsCutOff() throws IOException {
        try (Listener listener = listen(new Limits(10, 100, Patience.LIMIT, AT_ONCE, Patience.LIMIT))) {
            Socket socket = connect(listener);
            send(socket, GET + "\r\n");
            assertThat(all(socket)).endsWith("GET /path");
        }
    }

    @Test
    void whoTakesNothingOfTheAnswerIsCutOff() throws Exception {
        try (Listener listener = listen(new Limits(10, 100, Patience.LIMIT, Patience.LIMIT, AT_ONCE))) {
            Socket socket = connect(listener);
            send(socket, "GET /endless HTTP/1.1\r\nHost: h\r\n\r\n");
            assertThat(brokenOff.await(Patience.LIMIT.toMillis(), TimeUnit.MILLISECONDS))
                    .isTrue();
        }
    }

    @Test
    void thatConnectionsWereClosedForWantOfRoomIsToldOnce() throws IOException {
        try (LogLines log = new LogLines(Listener.class);
                Listener listener = listen(new Limits(2, 100, Patience.LIMIT, Patience.LIMIT, Patience.LIMIT))) {
            Socket first = connect(listener);
            for (int i = 0; i < 20; i++) {
                connect(listener);
            }
            assertThat(isCutOff(first)).isTrue();
            Socket last = connect(listener);
            send(last, GET + "Connection: close\r\n\r\n");
            assertThat(all(last)).endsWith("GET /path");
            assertThat(log.lines())
                    .containsExactly("WARN Too many connections, closing the oldest unfinished ones [port=\""
                            + listener.address().getPort() + "\", closed=\"1\"]");
        }
    }

    @Test
    void aThreadThatDiesIsTold() throws IOException {
        AppenderBase<ILoggingEvent> failing = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent event) {
                throw new InternalError("no room for a line");
            }
        };
        Logger log = (Logger) LoggerFactory.getLogger(Listener.class);
        failing.start();
        log.addAppender(failing);
        try (Listener listener = listen(new Limits(1, 100, Patience.LIMIT, Patience.LIMIT, Patience.LIMIT))) {
            connect(listener);
            connect(listener);
            Patience.await().until(() -> died.equals(List.of("http-accept: no room for a line")));
        } finally {
            log.detachAppender(failing);
        }
    }

    @Test
    void whatARequestCausesConcernsItAloneUnlessTheJvmFails() throws IOException {
        try (LogLines log = new LogLines(Listener.class);
                Listener listener = listen(PATIENT)) {
            Socket deep = connect(listener);
            send(deep, "GET /deep HTTP/1.1\r\nHost: h\r\n\r\n");
            assertThat(isCutOff(deep)).isTrue();
            Patience.await().untilAsserted(() -> assertThat(log.lines()).containsExactly("ERROR Connection failed"));
            assertThat(died).isEmpty();

            send(connect(listener), "GET /broken HTTP/1.1\r\nHost: h\r\n\r\n");
            Patience.await().until(() -> died.equals(List.of("http: broken")));
        }
    }

    private Listener listen(Limits limits) throws IOException {
        return new Listener(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Optional.empty(),
                this::answer,
                limits,
                (thread, why) -> died.add(thread + ": " + why.getMessage()));
    }

    private void answer(Exchange exchange) throws IOException {
        String path = exchange.request().target().getPath();
        if (path.equals("/deep")) {
            throw new StackOverflowError();
        }
        if (path.equals("/broken")) {
            throw new InternalError("broken");
        }
        if (path.equals("/pieces")) {
            try (var out = exchange.begin(200, Map.of())) {
                out.write("one".getBytes(StandardCharsets.UTF_8));
                out.write("two".getBytes(StandardCharsets.UTF_8));
            }
            return;
        }
        if (path.equals("/endless")) {
            var out = exchange.begin(200, Map.of());
            try {
                for (byte[] some = new byte[1 << 16]; ; ) {
                    out.write(some);
                }
            } finally {
                brokenOff.countDown();
            }
        }
        exchange.answer(
                200,
                Map.of("Kind", "whole"),
                (exchange.request().method() + " " + path).getBytes(StandardCharsets.UTF_8));
    }

    private Socket connect(Listener listener) throws IOException {
        Socket socket =
                new Socket(listener.address().getAddress(), listener.address().getPort());
        socket.setSoTimeout((int) Patience.LIMIT.toMillis());
        sockets.add(socket);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String all(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private static boolean isCutOff(Socket socket) {
        try (InputStream in = socket.getInputStream()) {
            return in.read() < 0;
        } catch (SocketTimeoutException stillOpen) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }
}
